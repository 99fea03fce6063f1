import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../../sandbox/kubernetes/index.js';

/** The manifests of `deploy/utho`, so that the demo shows what users apply and not a copy of it. */
export interface PublishedManifests {
  /** Flags of the container's command. */
  readonly flags: readonly string[];
  /** Where the container finds the Secret: `/config`. */
  readonly configFolder: string;
  /** File name in it, the key of the Secret: `cloud-config`. */
  readonly configName: string;
  readonly accessRules: readonly Manifest[];
  readonly stressTest: Manifest;
}

/** `deploy` lies beside the folder of the program, in the checkout as in the image. Throws where it does not. */
export function readPublishedManifests(folder: string = besideProgram()): PublishedManifests {
  const [deployment] = readManifests(folder, 'deployment.yaml') as [DeploymentShape];
  const [secret] = readManifests(folder, 'secret.yaml.example') as [SecretShape];
  const [stressTest] = readManifests(folder, 'stress-test.yaml') as [Manifest];
  const [container] = deployment.spec.template.spec.containers;
  return {
    flags: container.command.slice(1),
    configFolder: container.volumeMounts[0].mountPath,
    configName: Object.keys(secret.stringData)[0]!,
    accessRules: readManifests(folder, 'rbac.yaml') as Manifest[],
    stressTest,
  };
}

function besideProgram(): string {
  return join(dirname(realpathSync(process.argv[1] ?? '.')), '../deploy/utho');
}

function readManifests(folder: string, name: string): readonly unknown[] {
  const documents = parseAllDocuments(readFileSync(join(folder, name), 'utf8'));
  return documents.map((document) => document.toJS() as unknown);
}

/** The parts of our own files that are read here. */
interface DeploymentShape {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly command: readonly string[];
            readonly volumeMounts: readonly [{ readonly mountPath: string }];
          },
        ];
      };
    };
  };
}

interface SecretShape {
  readonly stringData: Readonly<Record<string, string>>;
}
