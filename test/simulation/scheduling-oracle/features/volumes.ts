import type {
  ClaimObject,
  PersistentVolumeObject,
  Texts,
  VolumeObject,
} from '../../../reference/oracle/api-objects.js';
import type { Random } from '../random.js';
import { NAMESPACES, NODE_NAMES, REGION, ZONE } from './draft.js';
import type { Feature, NodeDraft, PodDraft, WorldDraft } from './draft.js';
import { nodeSelector, podSelector } from './selectors.js';

const CLAIM_NAMES = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6'];
const VOLUME_NAMES = ['v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6'];
const CLASS_NAMES = ['late', 'late', 'late', 'local', 'early', 'modeless', 'unknown', ''];
const DRIVERS = ['csi.one', 'csi.two'];
const SIZES = ['1Gi', '2Gi', '10Gi', '0', '8Ei'];
const MODES = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteOncePod'];
const BETA_ZONE = 'failure-domain.beta.kubernetes.io/zone';
const BETA_REGION = 'failure-domain.beta.kubernetes.io/region';
const PAST = '2026-01-01T00:00:00Z';

function addVolumes(pod: PodDraft, ...volumes: VolumeObject[]): void {
  pod.spec.volumes = [...(pod.spec.volumes ?? []), ...volumes];
}

/** Inline disks of the days before CSI. */
export const inlineDisks: Feature = {
  name: 'inline disks',
  pod(pod, random) {
    if (!random.chance(0.6)) return;
    const readOnly = random.chance(0.4);
    addVolumes(
      pod,
      random.pick<VolumeObject>([
        { name: 'gce', gcePersistentDisk: { pdName: random.pick(['d1', 'd2']), readOnly } },
        { name: 'aws', awsElasticBlockStore: { volumeID: random.pick(['d1', 'd2']) } },
        { name: 'iscsi', iscsi: { iqn: random.pick(['d1', 'd2']), readOnly } },
        {
          name: 'rbd',
          rbd: {
            monitors: random.some(['m1', 'm2', 'm3']),
            pool: random.pick(['rbd', 'p']),
            image: random.pick(['d1', 'd2']),
            readOnly,
          },
        },
      ]),
    );
  },
};

function addClasses(world: WorldDraft, random: Random): void {
  const topology = { key: ZONE, values: random.some(['a', 'b', 'c'], 0.6) };
  const late = {
    metadata: { name: 'late', uid: 'uid-late' },
    provisioner: random.pick(['csi.one', 'csi.one', 'csi.two', '', 'kubernetes.io/no-provisioner']),
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: random.pick([
      null,
      null,
      [],
      [{ matchLabelExpressions: [topology] }],
      [{}, { matchLabelExpressions: [topology, { key: 'rack', values: ['a', 'b'] }] }],
      [{ matchLabelExpressions: [] }],
    ]),
  };
  const named = (name: string) => ({ ...late, metadata: { name, uid: `uid-${name}` } });
  const local = { ...named('local'), provisioner: 'kubernetes.io/no-provisioner', allowedTopologies: null };
  world.storageClasses = random.some(
    [
      late,
      local,
      { ...named('early'), volumeBindingMode: 'Immediate' },
      { ...named('modeless'), volumeBindingMode: null },
    ],
    0.9,
  );
}

function claim(namespace: string, name: string, random: Random): ClaimObject {
  const annotations: Texts = {};
  const binding = random.below(10);
  const volumeName = binding < 4 ? random.pick(VOLUME_NAMES) : '';
  if (binding < 4 && random.chance(0.93))
    annotations['pv.kubernetes.io/bind-completed'] = random.pick(['yes', '']);
  if (random.chance(0.06)) annotations['volume.beta.kubernetes.io/storage-class'] = random.pick(CLASS_NAMES);
  if (random.chance(0.1))
    annotations['volume.kubernetes.io/selected-node'] = random.pick(NODE_NAMES.slice(0, 4));
  return {
    metadata: {
      namespace,
      name,
      uid: `uid-claim-${namespace}-${name}`,
      annotations,
      deletionTimestamp: random.chance(0.02) ? PAST : null,
    },
    spec: {
      volumeName,
      storageClassName: random.chance(0.85)
        ? random.pick(['late', 'late', 'local'])
        : random.pick(CLASS_NAMES),
      accessModes: random.some(MODES, 0.35),
      volumeMode: random.pick([null, null, null, 'Filesystem', 'Block']),
      volumeAttributesClassName: random.pick([null, null, null, null, 'fast']),
      selector: random.chance(0.1) ? podSelector(random) : null,
      resources: random.chance(0.9) ? { requests: { storage: random.pick(SIZES) } } : null,
    },
    status: { phase: random.chance(0.02) ? 'Lost' : random.pick(['Bound', 'Pending']) },
  };
}

function volume(name: string, random: Random): PersistentVolumeObject {
  const reserved = random.chance(0.25);
  const claimName = random.pick(CLAIM_NAMES);
  const uid = random.pick(['', `uid-claim-default-${claimName}`, 'uid-of-another']);
  return {
    metadata: {
      name,
      uid: `uid-${name}`,
      labels: random.pick([{}, { app: 'w' }, { app: 'x' }]),
      deletionTimestamp: random.chance(0.04) ? PAST : null,
    },
    spec: {
      csi: random.chance(0.6)
        ? { driver: random.pick(DRIVERS), volumeHandle: random.pick(VOLUME_NAMES) }
        : null,
      nodeAffinity: random.chance(0.4)
        ? { required: random.chance(0.9) ? nodeSelector(random) : null }
        : null,
      storageClassName: random.pick(['late', 'local', 'local', '']),
      capacity: random.chance(0.95) ? { storage: random.pick(SIZES) } : null,
      accessModes: random.some(MODES, 0.6),
      volumeMode: random.pick([null, null, null, 'Filesystem', 'Block']),
      volumeAttributesClassName: random.pick([null, null, null, null, 'fast']),
      claimRef: reserved ? { namespace: 'default', name: claimName, uid } : null,
    },
    status: { phase: random.pick(['Available', 'Available', 'Bound']) },
  };
}

/** Claims of each namespace, volumes and classes; a few names of each are missing. */
export const claims: Feature = {
  name: 'claims',
  world(world, random) {
    addClasses(world, random);
    world.persistentVolumes = random.some(VOLUME_NAMES, 0.85).map((name) => volume(name, random));
    world.claims = NAMESPACES.flatMap((namespace) =>
      random.some(CLAIM_NAMES, 0.9).map((name) => claim(namespace, name, random)),
    );
  },
  pod(pod, random) {
    for (let index = 0; index < random.pick([0, 1, 1, 2]); index++) {
      const claimName = random.chance(0.98) ? random.pick(CLAIM_NAMES) : '';
      addVolumes(pod, { name: `claim-${index.toString()}`, persistentVolumeClaim: { claimName } });
    }
  },
};

/** Generic ephemeral volumes: most of their claims are there and belong to the pod. */
export const ephemeralClaims: Feature = {
  name: 'ephemeral claims',
  world(world, random) {
    if (world.storageClasses.length === 0) addClasses(world, random);
    for (const namespace of NAMESPACES) {
      for (let index = 0; index < 20; index++) {
        if (!random.chance(0.85)) continue;
        const pod = `p${index.toString()}`;
        const owned = claim(namespace, `${pod}-tmp`, random);
        const uid = random.chance(0.9) ? `uid-${pod}` : 'uid-of-another';
        owned.metadata = { ...owned.metadata, ownerReferences: [{ uid, controller: random.chance(0.95) }] };
        world.claims.push(owned);
      }
    }
  },
  pod(pod, random) {
    if (random.chance(0.4)) addVolumes(pod, { name: 'tmp', ephemeral: { volumeClaimTemplate: {} } });
  },
};

/** Drivers that publish how much they can provision. */
export const capacities: Feature = {
  name: 'storage capacities',
  world(world, random) {
    world.csiDrivers = random.some(DRIVERS, 0.8).map((name) => ({
      metadata: { name, uid: `uid-${name}` },
      spec: { storageCapacity: random.chance(0.9) },
    }));
    world.storageCapacities = random.times(random.between(0, 3), (index) => ({
      metadata: { name: `s${index.toString()}`, namespace: 'kube-system', uid: `uid-s${index.toString()}` },
      storageClassName: random.pick(['late', 'late', 'local']),
      nodeTopology: random.pick([null, {}, { matchLabels: { [ZONE]: random.pick(['a', 'b']) } }]),
      capacity: random.pick(['1Gi', '5Gi', '100Gi', null]),
      maximumVolumeSize: random.pick([null, null, '1Gi', '2Gi']),
    }));
  },
};

/** Small limits, so that they are reached. */
export const volumeLimits: Feature = {
  name: 'volume limits',
  world(world, random) {
    world.csiNodes = random.some(NODE_NAMES, 0.8).map((name) => ({
      metadata: { name, uid: `uid-csi-${name}` },
      spec: {
        drivers: random.some(DRIVERS, 0.8).map((driver) => ({
          name: driver,
          allocatable: random.pick([null, { count: 0 }, { count: 1 }, { count: 1 }, { count: 2 }, {}]),
        })),
      },
    }));
    world.volumeAttachments = random.times(random.between(0, 4), (index) => ({
      metadata: { name: `a${index.toString()}`, uid: `uid-a${index.toString()}` },
      spec: {
        nodeName: random.pick(NODE_NAMES.slice(0, 5)),
        attacher: random.pick(DRIVERS),
        source: { persistentVolumeName: random.pick([...VOLUME_NAMES, 'unknown']) },
      },
    }));
  },
};

/** Zone and region labels on volumes, old and new, and old ones on nodes. */
export const volumeZones: Feature = {
  name: 'volume zones',
  world(world, random) {
    for (const each of world.persistentVolumes) {
      const labels: Texts = { ...each.metadata?.labels };
      for (const key of random.some([ZONE, REGION, BETA_ZONE, BETA_REGION], 0.4)) {
        labels[key] = random.pick(['a', 'b', 'a__b', 'b__ c', 'a__', '', '__']);
      }
      each.metadata = { ...each.metadata, labels };
    }
  },
  node(node: NodeDraft, random) {
    if (random.chance(0.2)) node.metadata.labels[BETA_ZONE] = random.pick(['a', 'b']);
    if (random.chance(0.2)) node.metadata.labels[BETA_REGION] = random.pick(['a', 'b']);
    if (random.chance(0.15)) {
      for (const key of [ZONE, REGION, BETA_ZONE, BETA_REGION])
        Reflect.deleteProperty(node.metadata.labels, key);
    }
  },
};
