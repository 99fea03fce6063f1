import ipaddr from 'ipaddr.js';

export interface Cidr {
  /** Host bits cleared: `10.0.0.0/24`. */
  readonly text: string;
  readonly hadHostBits: boolean;
}

/** Null where the text is no IPv4 or IPv6 range. */
export function parseCidr(text: string): Cidr | null {
  // The library also takes `10.1/8`, which the API would refuse.
  if (!text.includes(':') && !/^(\d+\.){3}\d+\/\d+$/.test(text)) return null;
  if (!ipaddr.isValidCIDR(text)) return null;
  const [address, prefix] = ipaddr.parseCIDR(text);
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(text)
      : ipaddr.IPv6.networkAddressFromCIDR(text);
  return {
    text: `${network.toString()}/${prefix}`,
    hadHostBits: network.toString() !== address.toString(),
  };
}
