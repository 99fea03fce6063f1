import type { Labels } from '../api/labels.js';
import type {
  FirewallRecord,
  ImageRecord,
  LocationRecord,
  NetworkRecord,
  PlacementGroupRecord,
  PrimaryIpRecord,
  ServerTypeRecord,
} from './records.js';

/** A server to create, all references resolved and all checks passed. */
export interface ServerOrder {
  readonly name: string;
  readonly type: ServerTypeRecord;
  readonly location: LocationRecord;
  readonly image: ImageRecord;
  readonly labels: Labels;
  readonly userData: string;
  readonly startAfterCreate: boolean;
  readonly networks: readonly NetworkRecord[];
  readonly firewalls: readonly FirewallRecord[];
  readonly placementGroup: PlacementGroupRecord | null;
  readonly enableIpv4: boolean;
  readonly enableIpv6: boolean;
  /** Existing addresses to use instead of new ones. */
  readonly ipv4: PrimaryIpRecord | null;
  readonly ipv6: PrimaryIpRecord | null;
  /** Accepted, but its creation will fail for lack of stock. */
  readonly willLackStock: boolean;
}
