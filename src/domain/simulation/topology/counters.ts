import type { Node } from '../../kubernetes/node.js';
import type { NodeTable } from '../node-table.js';
import { DomainCensus } from './domain-census.js';
import type { Electorate } from './domain-census.js';
import { DomainColumn } from './domain-column.js';
import { DomainTally } from './domain-tally.js';
import { Matchmaker } from './matchmaker.js';
import { Moments } from './moments.js';
import { PodQuery } from './pod-query.js';
import type { Criterion, NamespaceLabels } from './pod-query.js';
import { queryText } from './query-text.js';
import { SpreadTally } from './spread-tally.js';

/**
 * Everything that is counted of one snapshot's nodes and pods, each counter once, whoever reads it. A counter is made
 * when it is first asked for, from what is there then; from then on each change is entered as it happens.
 */
export class Counters {
  readonly matchmaker: Matchmaker;
  private readonly moments = new Moments();
  private readonly columns = new Map<string, DomainColumn>();
  private readonly censuses = new Map<string, DomainCensus>();
  private readonly queries = new Map<string, PodQuery>();
  private tallyCount = 0;
  private expected: readonly Node[] = [];

  constructor(
    private readonly nodes: NodeTable,
    namespaces: NamespaceLabels,
  ) {
    this.matchmaker = new Matchmaker(namespaces);
  }

  nodeCame(row: number, node: Node): void {
    for (const column of this.columns.values()) column.set(row, node);
    for (const census of this.censuses.values()) census.nodeCame(row, node);
  }

  nodeLeft(row: number): void {
    for (const census of this.censuses.values()) census.nodeLeft(row);
  }

  expect(nodes: readonly Node[]): void {
    this.expected = nodes;
    for (const census of this.censuses.values()) census.expect(nodes);
  }

  column(topologyKey: string): DomainColumn {
    let column = this.columns.get(topologyKey);
    if (column === undefined) {
      column = new DomainColumn(topologyKey);
      this.columns.set(topologyKey, column);
      // Also rows of nodes that have gone: a revert may bring them back.
      for (const [row, node] of this.nodes.nodes.entries()) column.set(row, node);
    }
    return column;
  }

  /** `key`: equal exactly for electorates that admit the same nodes to the same domains. */
  census(key: string, electorate: Electorate): DomainCensus {
    let census = this.censuses.get(key);
    if (census === undefined) {
      census = new DomainCensus(electorate, this.moments);
      this.censuses.set(key, census);
      for (const [row, node] of this.nodes.nodes.entries()) {
        if (this.nodes.present[row] === 1) census.nodeCame(row, node);
      }
      census.expect(this.expected);
    }
    return census;
  }

  query(criteria: readonly Criterion[], countsTerminating: boolean): PodQuery {
    const text = queryText(criteria, countsTerminating);
    let query = this.queries.get(text);
    if (query === undefined) {
      query = new PodQuery(this.queries.size, criteria, countsTerminating);
      this.queries.set(text, query);
      this.matchmaker.addQuery(query);
    }
    return query;
  }

  matching(query: PodQuery, column: DomainColumn): DomainTally {
    let tally = query.matching.get(column);
    if (tally === undefined) {
      tally = new DomainTally(this.tallyCount++, column, this.moments);
      query.matching.set(column, tally);
      countMembers(query, tally);
    }
    return tally;
  }

  spreading(query: PodQuery, census: DomainCensus): SpreadTally {
    let tally = query.spreading.get(census);
    if (tally === undefined) {
      tally = new SpreadTally(this.tallyCount++, census, this.moments);
      query.spreading.set(census, tally);
      countMembers(query, tally);
    }
    return tally;
  }

  /** Made for the first profile that holds such a term, so there is no such pod yet. */
  owning(query: PodQuery, column: DomainColumn): DomainTally {
    let tally = query.owning.get(column);
    if (tally === undefined) {
      tally = new DomainTally(this.tallyCount++, column, this.moments);
      query.owning.set(column, tally);
      for (const profile of query.members) profile.repelledBy.push(tally);
    }
    return tally;
  }
}

function countMembers(query: PodQuery, tally: DomainTally): void {
  for (const { rows } of query.members) for (const [row, pods] of rows) tally.add(row, pods);
}
