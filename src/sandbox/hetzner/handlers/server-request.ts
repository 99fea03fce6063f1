import { BodyReader } from '../api/body-reader.js';
import type { JsonObject, Reference } from '../api/body-reader.js';
import type { FieldErrors } from '../api/api-error.js';
import type { Labels } from '../api/labels.js';

const USER_DATA_BYTES_MAX = 32_768;
const FIREWALLS_MAX = 5;
const HOST_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const HOSTNAME = new RegExp(`^(?=.{1,253}$)${HOST_LABEL}(?:\\.${HOST_LABEL})*$`);

const KNOWN_FIELDS = [
  'name',
  'server_type',
  'image',
  'location',
  'user_data',
  'start_after_create',
  'ssh_keys',
  'networks',
  'volumes',
  'automount',
  'firewalls',
  'placement_group',
  'public_net',
  'labels',
];

/** Body of `POST /servers` with valid fields; what it refers to is not looked up yet. */
export interface ServerRequest {
  readonly name: string;
  readonly serverType: Reference;
  readonly image: Reference;
  readonly location: Reference | null;
  readonly userData: string;
  readonly startAfterCreate: boolean;
  readonly sshKeys: readonly Reference[];
  readonly networks: readonly Reference[];
  readonly firewalls: readonly Reference[];
  readonly placementGroup: Reference | null;
  readonly enableIpv4: boolean;
  readonly enableIpv6: boolean;
  readonly ipv4: Reference | null;
  readonly ipv6: Reference | null;
  readonly labels: Labels;
}

/** Throws `invalid_input` with all bad fields. */
export function readServerRequest(body: JsonObject, strict: boolean): ServerRequest {
  const reader = new BodyReader(body);
  if (strict) reader.refuseOthers(KNOWN_FIELDS);
  const name = reader.requiredText('name');
  if (name !== '') requireHostname(reader.errors, name);
  const userData = reader.text('user_data') ?? '';
  if (Buffer.byteLength(userData) > USER_DATA_BYTES_MAX) {
    reader.errors.add('user_data', `Length must be between 0 and ${USER_DATA_BYTES_MAX}.`);
  }
  const publicNet = new BodyReader(reader.object('public_net'));
  const request: ServerRequest = {
    name,
    serverType: reader.requiredReference('server_type'),
    image: reader.requiredReference('image'),
    location: reader.reference('location'),
    userData,
    startAfterCreate: reader.flag('start_after_create', true),
    sshKeys: reader.references('ssh_keys'),
    networks: reader.references('networks'),
    firewalls: readFirewalls(reader),
    placementGroup: reader.reference('placement_group'),
    enableIpv4: publicNet.flag('enable_ipv4', true),
    enableIpv6: publicNet.flag('enable_ipv6', true),
    ipv4: publicNet.reference('ipv4'),
    ipv6: publicNet.reference('ipv6'),
    labels: reader.labels('labels'),
  };
  const unreachable = !request.enableIpv4 && !request.enableIpv6 && request.networks.length === 0;
  if (unreachable && request.startAfterCreate) {
    reader.errors.add('public_net', 'A server needs a public address or a network.');
  }
  reader.errors.throwIfAny();
  publicNet.errors.throwIfAny();
  return request;
}

export function requireHostname(errors: FieldErrors, name: string): void {
  if (!HOSTNAME.test(name)) errors.add('name', 'Name must be a valid hostname.');
}

function readFirewalls(reader: BodyReader): readonly Reference[] {
  const list = reader.list('firewalls');
  if (list.length > FIREWALLS_MAX) reader.errors.add('firewalls', `At most ${FIREWALLS_MAX} firewalls.`);
  return list.map((item) => {
    const id = (item as { readonly firewall?: unknown } | null)?.firewall;
    if (typeof id === 'number') return id;
    reader.errors.add('firewalls', 'Each firewall must be given as an object with its id.');
    return 0;
  });
}
