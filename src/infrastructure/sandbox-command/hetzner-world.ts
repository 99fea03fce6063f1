import { HetznerSandbox, POOL_LABEL } from '../../sandbox/hetzner-sandbox.js';
import type { Manifest, NodeProfile } from '../../sandbox/kubernetes/index.js';
import { HastyClock } from '../../sandbox/world/index.js';
import type { Machine } from '../../sandbox/world/index.js';
import { hetznerGuide } from './hetzner-guide.js';
import type { SandboxArguments } from './read-arguments.js';
import type { ServedWorld } from './served-world.js';

const CONTROL_PLANE = 'control-plane-1';
const CONTROL_PLANE_ROLE = 'node-role.kubernetes.io/control-plane';
/** The group of the published manifest. */
const POOL = 'pool1';
/** Its type and its place, which Hetzner no longer sells together, and the provider's default image, long removed. */
const MANIFEST_TYPE = 'cpx11';
const MANIFEST_LOCATION = 'fsn1';
const MANIFEST_IMAGE = 'ubuntu-20.04';

/** A world to play with by hand: a control plane, some workers, and a cloud that sells what the manifest names. */
export function createHetznerWorld({ speed, seed, workers }: SandboxArguments): ServedWorld {
  const world = new HetznerSandbox({
    clock: new HastyClock(speed),
    seed,
    kubernetes: { heartbeatMs: HEARTBEAT_MS },
    nodeProfile: profileOf,
  });
  sellManifestOffer(world);
  world.cloud.seedServer({ name: CONTROL_PLANE, type: 'cx23', protected: true });
  for (let number = 1; number <= workers; number++) {
    world.cloud.seedServer({
      name: `${SEEDED_PREFIX}${number}`,
      type: MANIFEST_TYPE,
      location: MANIFEST_LOCATION,
      labels: { [POOL_LABEL]: POOL },
    });
  }
  world.cluster.create(VOLUME_CLASS);
  return {
    sandbox: world,
    title: 'A simulated cluster on Hetzner Cloud',
    guide: hetznerGuide([{ ...MANIFEST_GROUP, max: Math.max(MANIFEST_GROUP.max, workers) }]),
    start: () => world.start(),
    stop: () => Promise.resolve(world.stop()),
  };
}

/** The group as the published manifest has it. */
const MANIFEST_GROUP = { id: POOL, min: 1, max: 10, type: 'CPX11', location: 'FSN1' };

const SEEDED_PREFIX = `${POOL}-seeded-`;
/** How often a kubelet renews its lease, by default. */
const HEARTBEAT_MS = 10_000;
const VOLUME_DRIVER = 'csi.hetzner.cloud';
/** Hetzner's limit of volumes on one server. */
const VOLUMES_MAX = 16;

/** The class that Hetzner's CSI driver brings along. */
const VOLUME_CLASS: Manifest = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {
    name: 'hcloud-volumes',
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
  },
  provisioner: VOLUME_DRIVER,
  volumeBindingMode: 'WaitForFirstConsumer',
};

function profileOf({ name, region }: Machine): NodeProfile {
  const topology = { [`${VOLUME_DRIVER}/location`]: region };
  const csiDrivers = [{ name: VOLUME_DRIVER, topology, volumesMax: VOLUMES_MAX }];
  if (name === CONTROL_PLANE) {
    const taints = [{ key: CONTROL_PLANE_ROLE, effect: 'NoSchedule' }];
    return { ...AT_ONCE, csiDrivers, taints, labels: { [CONTROL_PLANE_ROLE]: '' } };
  }
  return { csiDrivers, ...(name.startsWith(SEEDED_PREFIX) && AT_ONCE) };
}

/** What is there at the beginning has booted long ago. */
const AT_ONCE = { joinAfterMs: 0, readyAfterMs: 0 };

function sellManifestOffer({ cloud }: HetznerSandbox): void {
  const type = cloud.world.serverType(MANIFEST_TYPE);
  type.offers.set(MANIFEST_LOCATION, { recommended: false, deprecation: null, pinnedAvailability: null });
  for (const image of cloud.project().images.values()) {
    if (image.name === MANIFEST_IMAGE) image.deletedMs = null;
  }
}
