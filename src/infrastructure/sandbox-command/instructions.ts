import { DEFAULT_TOKEN } from '../../sandbox/hetzner/index.js';
import type { ServedSandbox } from '../../sandbox/hetzner-sandbox.js';
import type { ServedWorld } from './served-world.js';

export interface Places {
  readonly served: ServedSandbox;
  readonly kubeconfig: string;
  /** Of the service account that the published RBAC rules are for. */
  readonly autoscalerKubeconfig: string;
}

const CLOUD_INIT = Buffer.from('#cloud-config\nruncmd:\n  - join-the-cluster\n').toString('base64');

/** What one can do with the sandbox, ready to be pasted into another terminal. */
export function instructions(world: ServedWorld, places: Places): string {
  const { served, kubeconfig, autoscalerKubeconfig } = places;
  const flags = ['--cloud-provider=hetzner', '--stderrthreshold=info', ...world.flags].join(' ');
  const environment = {
    HCLOUD_TOKEN: DEFAULT_TOKEN,
    HCLOUD_ENDPOINT: served.hetznerUrl,
    HCLOUD_CLOUD_INIT: CLOUD_INIT,
    ...world.environment,
  };
  const exports = Object.entries(environment).map(([name, value]) => `    export ${name}=${value}`);
  const faults = `${served.kubernetesUrl}/_sandbox/faults`;
  return `${world.title} runs on this machine until Ctrl-C.

    Kubernetes API   ${served.kubernetesUrl}
    Hetzner API      ${served.hetznerUrl}
    kubeconfig       ${kubeconfig}

Look into it, and give it work:

    export KUBECONFIG=${kubeconfig}
    kubectl get nodes -o wide
    kubectl create deployment web --image=nginx --replicas=5

Run Evenkeel on it, with the environment and the flags that a manifest for Hetzner has:

${exports.join('\n')}
    evenkeel run ${flags} --kubeconfig=${autoscalerKubeconfig}

The Go program, built with the provider Hetzner, takes the same environment and the same flags:

    ./cluster-autoscaler ${flags} --kubeconfig=${autoscalerKubeconfig}

This kubeconfig has the token of the service account kube-system/cluster-autoscaler, which may do everything until
roles are bound to it, and from then on what they allow: kubectl apply -f deploy/hetzner/rbac.yaml

Make trouble, and end it (docs/sandbox.md lists the kinds):

    curl -d '{"action":{"kind":"watch-silent"}}' ${faults}
    curl -d '{"method":"PUT","times":5,"action":{"kind":"answer","status":409}}' ${faults}
    curl -X DELETE ${faults}
    curl -d '{"type":"cpx11","location":"fsn1","count":0}' ${new URL(served.hetznerUrl).origin}/_fake/stock

`;
}
