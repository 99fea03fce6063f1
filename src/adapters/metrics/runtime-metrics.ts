import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { Counter, Gauge } from 'prom-client';

/** The size of a page where Node.js runs: 4 KiB on amd64 and, with the usual kernels, on arm64. */
const PAGE_BYTES = 4_096;

/**
 * What `interface` 2.6 keeps of process and runtime metrics, read only when scraped: no timers and no garbage
 * collection hooks, unlike the client library's own set. Values that the platform lacks are left out.
 */
export function createRuntimeMetrics(): readonly (Counter | Gauge)[] {
  const startSeconds = (performance.timeOrigin / 1_000).toFixed(3);
  const limits = readText('/proc/self/limits') ?? '';
  return [
    counter('process_cpu_seconds_total', 'User and system CPU time.', cpuSeconds),
    gauge('process_start_time_seconds', 'Start of the process in Unix seconds.', () => Number(startSeconds)),
    gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()),
    gauge('process_virtual_memory_bytes', 'Virtual memory.', virtualMemoryBytes),
    gauge('process_virtual_memory_max_bytes', 'Limit of virtual memory.', () =>
      limitOf(limits, 'Max address space'),
    ),
    gauge('process_open_fds', 'Open file descriptors.', openFileDescriptors),
    gauge('process_max_fds', 'Limit of open file descriptors.', () => limitOf(limits, 'Max open files')),
    counter('process_network_receive_bytes_total', 'Bytes received.', () => ipOctets('InOctets')),
    counter('process_network_transmit_bytes_total', 'Bytes sent.', () => ipOctets('OutOctets')),
    gauge('nodejs_heap_size_used_bytes', 'Used heap.', () => process.memoryUsage().heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Reserved heap.', () => process.memoryUsage().heapTotal),
    gauge(
      'nodejs_external_memory_bytes',
      'Memory outside of the heap.',
      () => process.memoryUsage().external,
    ),
    gauge(
      'nodejs_eventloop_utilization',
      'Share of time that the event loop was busy since the start.',
      () => performance.eventLoopUtilization().utilization,
    ),
  ];
}

type Read = () => number | null;

function gauge(name: string, help: string, read: Read): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect(): void {
      const value = read();
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

function counter(name: string, help: string, read: Read): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    collect(): void {
      this.reset();
      this.inc(read() ?? 0);
    },
  });
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function openFileDescriptors(): number | null {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return null;
  }
}

function virtualMemoryBytes(): number | null {
  const pages = readText('/proc/self/statm')?.split(' ')[0];
  return pages === undefined ? null : Number(pages) * PAGE_BYTES;
}

/** Soft limit of one row of /proc/self/limits; `unlimited` is what Go prints for it, 2^64-1. */
function limitOf(limits: string, row: string): number | null {
  const soft = new RegExp(`^${row}\\s+(\\S+)`, 'mu').exec(limits)?.[1];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? 2 ** 64 : Number(soft);
}

/** A counter of the row pair `IpExt:` of /proc/self/net/netstat, for the network namespace of the process. */
function ipOctets(column: string): number | null {
  const rows = readText('/proc/self/net/netstat')
    ?.split('\n')
    .filter((row) => row.startsWith('IpExt:'))
    .map((row) => row.split(' '));
  const index = rows?.[0]?.indexOf(column) ?? -1;
  return index === -1 ? null : Number(rows?.[1]?.[index] ?? 0);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
