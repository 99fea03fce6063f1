import type { Reason } from '../reason.js';
import type { Demand } from './demand.js';
import type { Filter } from './filters/filter.js';
import { filterChain } from './filters/filter-chain.js';
import { isNodeAddressing, keysOf, namesNodes } from './node-addressing.js';
import { NodeSignatures } from './node-signatures.js';
import type { NodeTable } from './node-table.js';
import type { SchedulingOptions } from './scheduling-options.js';
import { keysReadForVolumes } from './volumes/node-keys.js';
import { FITS } from './verdict.js';
import type { Rejection, Verdict } from './verdict.js';

const UNKNOWN = 0;
const YES = 1;
const NO = 2;

/** What is worked out once per demand. */
interface Judgement {
  /** All filters that concern the demand, in the scheduler's order. */
  readonly filters: readonly Filter[];
  readonly nodeFilters: readonly Filter[];
  readonly podFilters: readonly Filter[];
  readonly clusterFilters: readonly Filter[];
  /** The pod fits nowhere, whatever the node. */
  readonly rejection: Rejection | null;
  /** The only nodes that may take the pod, or null. */
  readonly admittedNames: ReadonlySet<string> | null;
  readonly isNodeAddressing: boolean;
  /** Verdict of the node filters by node signature; not used for node-addressing demands. */
  readonly bySignature: number[];
}

const NOT_ADMITTED: Rejection = {
  fit: false,
  plugin: 'NodeAffinity',
  reasons: [],
  message: 'PreFilter filtered the Node out',
};

/** Runs the filter chain on rows of the node table; node-only filters once per demand and node signature. */
export class FitChecker {
  private readonly chain: readonly Filter[];
  private readonly signatures = new NodeSignatures();
  private readonly judgements: Judgement[] = [];
  private readonly areNodesAddressedByAll: boolean;

  constructor(
    private readonly nodes: NodeTable,
    options: SchedulingOptions,
  ) {
    this.chain = filterChain(options);
    const added = options.addedNodeAffinity;
    this.areNodesAddressedByAll = added !== undefined && namesNodes(added);
    if (added !== undefined) this.signatures.distinguish(keysOf(added), []);
  }

  /** Must be told of each row that the table adds. */
  nodeAdded(row: number): void {
    this.signatures.add(row, this.nodes.nodes[row]!);
  }

  /** Why the pod fits on no node at all, or null. */
  rejectionEverywhere(demand: Demand): Rejection | null {
    return this.judgementOf(demand).rejection;
  }

  /** The only nodes that the pod may go to, or null. */
  admittedNames(demand: Demand): ReadonlySet<string> | null {
    return this.judgementOf(demand).admittedNames;
  }

  /** The verdict with its reasons. */
  check(demand: Demand, row: number): Verdict {
    const { rejection, admittedNames, filters } = this.judgementOf(demand);
    if (rejection !== null) return rejection;
    if (admittedNames?.has(this.nodes.nodes[row]!.name) === false) return NOT_ADMITTED;
    if (this.suits(demand, row)) return FITS;
    return this.firstNo(filters, demand, row);
  }

  private firstNo(filters: readonly Filter[], demand: Demand, row: number): Verdict {
    for (const filter of filters) {
      if (filter.accepts(demand, this.nodes, row)) continue;
      return { fit: false, plugin: filter.plugin, reasons: filter.explain(demand, this.nodes, row) };
    }
    return FITS;
  }

  /** The verdict with its reasons, as if no pod meant anything to another. */
  checkAlone(demand: Demand, row: number): Verdict {
    const verdict = this.check(demand, row);
    if (verdict.fit || this.judgementOf(demand).rejection !== null) return verdict;
    return this.firstNo(
      this.judgementOf(demand).filters.filter(({ reads }) => reads !== 'cluster'),
      demand,
      row,
    );
  }

  /** The verdict without reasons. */
  fits(demand: Demand, row: number): boolean {
    const { rejection, admittedNames } = this.judgementOf(demand);
    if (rejection !== null || admittedNames?.has(this.nodes.nodes[row]!.name) === false) return false;
    return this.suits(demand, row);
  }

  private suits(demand: Demand, row: number): boolean {
    return this.suitsNode(demand, row) && this.suitsPods(demand, row) && this.suitsCluster(demand, row);
  }

  /** What the node-only filters say. Holds as long as the row holds this node. */
  suitsNode(demand: Demand, row: number): boolean {
    const { nodeFilters, isNodeAddressing: isAddressing, bySignature } = this.judgementOf(demand);
    if (isAddressing) return this.allAccept(nodeFilters, demand, row);
    const signature = this.signatures.of(row);
    const known = bySignature[signature] ?? UNKNOWN;
    if (known !== UNKNOWN) return known === YES;
    const suits = this.allAccept(nodeFilters, demand, row);
    while (bySignature.length <= signature) bySignature.push(UNKNOWN);
    bySignature[signature] = suits ? YES : NO;
    return suits;
  }

  /** What the filters say that depend on the node's pods. */
  suitsPods(demand: Demand, row: number): boolean {
    return this.allAccept(this.judgementOf(demand).podFilters, demand, row);
  }

  /** What the filters say that depend on pods anywhere. */
  suitsCluster(demand: Demand, row: number): boolean {
    return this.allAccept(this.judgementOf(demand).clusterFilters, demand, row);
  }

  private allAccept(filters: readonly Filter[], demand: Demand, row: number): boolean {
    for (const filter of filters) if (!filter.accepts(demand, this.nodes, row)) return false;
    return true;
  }

  private judgementOf(demand: Demand): Judgement {
    return (this.judgements[demand.id] ??= this.judge(demand));
  }

  private judge(demand: Demand): Judgement {
    const isAddressing = this.areNodesAddressedByAll || isNodeAddressing(demand);
    if (!isAddressing) this.signatures.distinguish(keysReadBy(demand), this.nodes.nodes);
    const filters = this.chain.filter((filter) => filter.concerns(demand));
    return {
      filters,
      nodeFilters: filters.filter((filter) => filter.reads === 'node'),
      podFilters: filters.filter((filter) => filter.reads === 'pods'),
      clusterFilters: filters.filter((filter) => filter.reads === 'cluster'),
      isNodeAddressing: isAddressing,
      bySignature: [],
      ...preFilter(filters, demand),
    };
  }
}

/** Label keys that the pod's own selectors and its volumes read on nodes. */
function keysReadBy({ pod: { shape }, volumes }: Demand): string[] {
  return [
    ...shape.nodeSelector.keys(),
    ...(shape.nodeAffinity === null ? [] : keysOf(shape.nodeAffinity)),
    ...(volumes === null ? [] : keysReadForVolumes(volumes.volumes)),
  ];
}

/** The first filter that speaks before any node is looked at; only NodeAffinity names nodes. */
function preFilter(
  filters: readonly Filter[],
  demand: Demand,
): Pick<Judgement, 'rejection' | 'admittedNames'> {
  let admittedNames: ReadonlySet<string> | null = null;
  for (const filter of filters) {
    const result = filter.preFilter?.(demand) ?? null;
    if (result?.kind === 'rejected') {
      return { rejection: rejectedBeforehand(filter.plugin, result.reason), admittedNames: null };
    }
    if (result?.kind === 'only-nodes') admittedNames = result.names;
  }
  return { rejection: null, admittedNames };
}

function rejectedBeforehand(plugin: string, reason: Reason): Rejection {
  return { fit: false, plugin, reasons: [reason], message: 'PreFilter failed' };
}
