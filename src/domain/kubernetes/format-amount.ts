import { formatQuantity } from './quantity.js';
import { isHugePages } from './resource-names.js';
import { CPU, EPHEMERAL_STORAGE, MEMORY } from './resources.js';

/** An amount of {@link Resources} as people write it: cpu `750m`, memory `1536Mi`, pieces as a bare number. */
export function formatAmount(resource: string, amount: number): string {
  if (resource === CPU) return formatQuantity({ nano: BigInt(amount) * 1_000_000n, format: 'DecimalSI' });
  const isBytes = resource === MEMORY || resource === EPHEMERAL_STORAGE || isHugePages(resource);
  if (!isBytes) return amount.toString();
  return formatQuantity({ nano: BigInt(amount) * 1_000_000_000n, format: 'BinarySI' });
}
