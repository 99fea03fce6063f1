import type { ServedFronts } from '../../sandbox/cloud-sandbox.js';
import type { ServedWorld } from './served-world.js';

export interface Places {
  /** How this program is started from a shell. */
  readonly program: string;
  readonly served: ServedFronts;
  readonly kubeconfig: string;
  /** Of the service account that the published RBAC rules are for. */
  readonly autoscalerKubeconfig: string;
  /** Where the cloud-config goes, of a cloud that has one. */
  readonly cloudConfig: string;
}

/** What one can do with the sandbox, ready to be pasted into another terminal. */
export function instructions({ title, guide }: ServedWorld, places: Places): string {
  const { served, program, kubeconfig, cloudConfig } = places;
  const ofProgram = [...guide.flags(cloudConfig), `--kubeconfig=${places.autoscalerKubeconfig}`];
  const flags = ofProgram.map(quoted).join(' ');
  const exports = Object.entries(guide.environment(served.cloudUrl)).map(
    ([name, value]) => `    export ${name}=${value}\n`,
  );
  const faults = `${served.kubernetesUrl}/_sandbox/faults`;
  const admin = new URL(served.cloudUrl).origin;
  const requests = guide.trouble.map(
    ([path, body]) => `    curl -d '${JSON.stringify(body)}' ${admin}${path}\n`,
  );
  const trouble =
    requests.length === 0 ? '' : `\nMachines are sold out, and to be had again:\n\n${requests.join('')}`;
  const api = `${guide.name} API`.padEnd(LABEL_WIDTH);
  const hasFile = guide.cloudConfig(served.cloudUrl) !== null;
  return `${title} runs on this machine until Ctrl-C.

    Kubernetes API   ${served.kubernetesUrl}
    ${api}${served.cloudUrl}
    kubeconfig       ${kubeconfig}
${hasFile ? `    cloud-config     ${cloudConfig}\n` : ''}
Look into it, and give it work:

    export KUBECONFIG=${quoted(kubeconfig)}
    kubectl get nodes -o wide
    kubectl create deployment web --image=nginx --replicas=10
    kubectl set resources deployment web --requests=cpu=750m

Run Evenkeel on it, with ${hasFile ? 'the file' : 'the environment'} and the flags that a manifest for ${guide.name} has:

${exports.join('')}    ${program} run ${flags}

${guide.goProgram}

    ./cluster-autoscaler ${flags}

This kubeconfig has the token of the service account kube-system/cluster-autoscaler, which may do everything until
roles are bound to it, and from then on what they allow: kubectl apply -f ${guide.accessRules}

Make trouble, and end it (docs/sandbox.md lists the kinds):

    curl -d '{"action":{"kind":"watch-silent"}}' ${faults}
    curl -d '{"method":"PUT","times":5,"action":{"kind":"answer","status":409}}' ${faults}
    curl -X DELETE ${faults}
${trouble}
`;
}

/** Of the first column in the table of addresses. */
const LABEL_WIDTH = 'Kubernetes API   '.length;

/** As a shell must have it. */
export function quoted(word: string): string {
  return /^[\w=:./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
