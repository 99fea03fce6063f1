import type { NetworkRecord, SubnetRecord } from './records.js';

interface Range {
  readonly first: number;
  readonly size: number;
}

function parseRange(cidr: string): Range {
  const [address = '', bits = '32'] = cidr.split('/');
  const size = 2 ** (32 - Number(bits));
  return { first: Math.floor(toNumber(address) / size) * size, size };
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function toText(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** Lowest free host of the subnet, or null when it is full. The first host is the gateway. */
export function freeHost(network: NetworkRecord, subnet: SubnetRecord): string | null {
  const { first, size } = parseRange(subnet.ipRange);
  for (let host = 2; host < size - 1; host++) {
    const address = toText(first + host);
    if (!network.addresses.has(address)) return address;
  }
  return null;
}

/** True if the address is a host of the subnet that may be given out. */
export function isHostOf(subnet: SubnetRecord, address: string): boolean {
  const { first, size } = parseRange(subnet.ipRange);
  const host = toNumber(address) - first;
  return /^\d+(\.\d+){3}$/.test(address) && host >= 2 && host < size - 1;
}

export function gatewayOf(ipRange: string): string {
  return toText(parseRange(ipRange).first + 1);
}

/**
 * Public addresses from the ranges for documentation, and for larger worlds from the range for benchmarks; none of
 * them is routed anywhere.
 */
const PUBLIC_RANGES = ['203.0.113.0/24', '198.51.100.0/24', '192.0.2.0/24', '198.18.0.0/15'].map(parseRange);

/** Gives out public addresses of one world; freed ones come back after all others were used. */
export class PublicAddresses {
  private ipv4Count = 0;
  private ipv6Count = 0;
  private readonly freed: string[] = [];

  nextIpv4(): string {
    let index = this.ipv4Count++;
    for (const range of PUBLIC_RANGES) {
      const hosts = range.size - 2;
      if (index < hosts) return toText(range.first + 1 + index);
      index -= hosts;
    }
    const reused = this.freed.shift();
    if (reused === undefined) throw new Error('the simulated world has no public address left');
    return reused;
  }

  /** A /64 network. */
  nextIpv6(): string {
    const index = ++this.ipv6Count;
    const high = Math.floor(index / 0x10000);
    const low = (index % 0x10000).toString(16);
    return high === 0 ? `2001:db8:${low}::/64` : `2001:db8:${high.toString(16)}:${low}::/64`;
  }

  release(ipv4: string): void {
    this.freed.push(ipv4);
  }
}
