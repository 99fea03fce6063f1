import type { Estimate } from '../../src/domain/estimation/estimate.js';
import { estimateByRuns } from '../../src/domain/estimation/estimate-by-runs.js';
import type { Pod } from '../../src/domain/kubernetes/pod.js';
import type { NodeTemplate } from '../../src/domain/node-group/node-group.js';
import { classifyPods } from '../../src/domain/simulation/classify-pods.js';
import { createSnapshot } from '../../src/domain/simulation/journaled-snapshot.js';
import { buildPod, buildTemplate, GIB, MIB } from '../support/builders.js';
import { compare, measure, mustEqual, sequence } from './measure.js';

/** Packing of pending pods into new nodes, classification included. Inputs of the Go benchmarks where named so. */

function packEqualPods(owners: number): void {
  const template = buildTemplate('ng1', { cpuMilli: 10_000, memoryBytes: 10_000, pods: 100 });
  const pods = Array.from({ length: 50_000 }, (_, i) => {
    const owner = owners === 0 ? null : { name: `owner-${i % owners}` };
    return buildPod(`pod-${i}`, { cpuMilli: 200, memoryBytes: 200, owner });
  });
  measure({
    name: `RunOnceScaleUp: 50,000 equal pods of ${owners === 0 ? 'no owner' : `${owners} owners`}, one group`,
    count: pods.length,
    unit: 'pod',
    prepare: createSnapshot,
    run: (snapshot) => {
      const estimate = estimateByRuns(snapshot, template, classifyPods(pods).classes, { maxNodes: 10_000 });
      mustEqual(estimate.nodeCount, 1_000);
    },
  });
}

function packPublishedCase(): void {
  const template = buildTemplate('g', { cpuMilli: 1_000, memoryBytes: 5_000 * MIB, pods: 100 });
  const pods = [
    ...Array.from({ length: 50_000 }, (_, i) => buildPod(`small-${i}`, { cpuMilli: 50, memoryBytes: 100 })),
    ...Array.from({ length: 1_000 }, (_, i) => buildPod(`large-${i}`, { cpuMilli: 95, memoryBytes: 190 })),
  ];
  measure({
    name: 'BinpackingEstimate: 50,000 + 1,000 pods, at most 3,000 nodes',
    count: pods.length,
    unit: 'pod',
    prepare: createSnapshot,
    run: (snapshot) => {
      const estimate = estimateByRuns(snapshot, template, classifyPods(pods).classes, { maxNodes: 3_000 });
      mustEqual(estimate.nodeCount, 2_595);
    },
  });
}

function manyGroups(count: number): NodeTemplate[] {
  return Array.from({ length: count }, (_, i) =>
    buildTemplate(`g${i}`, {
      cpuMilli: 4_000 * (1 + (i % 8)),
      memoryBytes: (8 + 8 * (i % 5)) * GIB,
      labels: { pool: `pool-${i % 10}` },
    }),
  );
}

/** Every second class wants one of ten pools. */
function manyPods(count: number, classes: number): Pod[] {
  const random = sequence(1);
  const kinds = Array.from({ length: classes }, (_, i) => ({
    cpuMilli: 50 + Math.floor(random() * 3_000),
    memoryBytes: (64 + Math.floor(random() * 4_000)) * MIB,
    shape: { nodeSelector: new Map(i % 2 === 0 ? [] : [['pool', `pool-${i % 10}`]]) },
  }));
  return Array.from({ length: count }, (_, i) => buildPod(`pod-${i}`, kinds[i % classes]));
}

function packMany(podCount: number, classCount: number): number {
  const groups = manyGroups(50);
  const pods = manyPods(podCount, classCount);
  return measure({
    name: `${podCount.toLocaleString('en')} pods of ${classCount.toLocaleString('en')} classes over 50 groups`,
    count: podCount,
    unit: 'pod',
    prepare: createSnapshot,
    run: (snapshot) => {
      const { classes } = classifyPods(pods);
      mustEqual(classes.length, classCount);
      const estimates: Estimate[] = [];
      for (const template of groups) {
        snapshot.fork();
        snapshot.addNode(template.node, template.pods);
        const fitting = classes.filter(({ pods: [pod] }) => snapshot.check(pod!, template.node.name).fit);
        snapshot.revert();
        estimates.push(estimateByRuns(snapshot, template, fitting, { maxNodes: 1_000 }));
      }
      return estimates;
    },
  });
}

packEqualPods(0);
packEqualPods(5_000);
packPublishedCase();
const smallMs = packMany(25_000, 500);
compare('4 times the pods', smallMs, packMany(100_000, 500));
compare('4 times the pods and classes', smallMs, packMany(100_000, 2_000));
