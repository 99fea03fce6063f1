import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';

/** Where an API server listens and how to be its administrator. */
export interface ApiServerAccess {
  readonly url: string;
  /** Absent: it asks for none. */
  readonly token?: string;
  readonly dispatcher: Dispatcher;
}

export interface RunningApiServer extends ApiServerAccess {
  stop(): Promise<void>;
}

const START_MS_MAX = 60_000;
const STOP_MS_MAX = 10_000;

/**
 * A real etcd and a real kube-apiserver from the folder that `KUBEBUILDER_ASSETS` names, each a process of its own on
 * the loopback interface, with nothing else of a control plane. Rejects with what they wrote if they do not come up.
 */
export async function startRealApiServer(assets: string): Promise<RunningApiServer> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-apiserver-'));
  const processes: ServerProcess[] = [];
  const stop = async (): Promise<void> => {
    // The API server first: without its store it would wait.
    for (const process of processes.reverse()) await process.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const etcdUrl = `http://127.0.0.1:${await freePort()}`;
    processes.push(startEtcd(assets, folder, etcdUrl));
    await untilReady(processes, () => isOk(`${etcdUrl}/health`, {}));
    const port = await freePort();
    const token = randomBytes(16).toString('hex');
    processes.push(startApiServer(assets, folder, { etcdUrl, port, token }));
    const url = `https://127.0.0.1:${port}`;
    const certificate = join(folder, 'certificates', 'apiserver.crt');
    await untilReady(processes, () => isReady(url, token, certificate));
    const dispatcher = trusting(certificate);
    return {
      url,
      token,
      dispatcher,
      stop: async () => {
        await dispatcher.destroy();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startEtcd(assets: string, folder: string, url: string): ServerProcess {
  return new ServerProcess(folder, join(assets, 'etcd'), [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    '--listen-peer-urls=http://127.0.0.1:0',
    // Nothing here outlives the test.
    '--unsafe-no-fsync=true',
  ]);
}

function startApiServer(
  assets: string,
  folder: string,
  { etcdUrl, port, token }: { readonly etcdUrl: string; readonly port: number; readonly token: string },
): ServerProcess {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const keyPath = join(folder, 'service-account.key');
  const publicKeyPath = join(folder, 'service-account.pub');
  const tokenPath = join(folder, 'tokens.csv');
  writeFileSync(keyPath, keys.privateKey, { mode: 0o600 });
  writeFileSync(publicKeyPath, keys.publicKey);
  writeFileSync(tokenPath, `${token},administrator,administrator,"system:masters"\n`, { mode: 0o600 });
  return new ServerProcess(folder, join(assets, 'kube-apiserver'), [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    // It makes its own certificate in there.
    `--cert-dir=${join(folder, 'certificates')}`,
    '--authorization-mode=RBAC',
    `--token-auth-file=${tokenPath}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${publicKeyPath}`,
    `--service-account-signing-key-file=${keyPath}`,
    // Nobody makes service accounts here, and no kubelet lifts the taint of a new node.
    '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
  ]);
}

/** The server signs its certificate itself; whatever name is in it, it is the one that lies in its folder. */
function trusting(certificatePath: string): Agent {
  return new Agent({
    connect: { ca: readFileSync(certificatePath), checkServerIdentity: () => undefined },
  });
}

async function isReady(url: string, token: string, certificatePath: string): Promise<boolean> {
  let dispatcher: Agent;
  try {
    dispatcher = trusting(certificatePath);
  } catch {
    // Not written yet.
    return false;
  }
  try {
    return await isOk(`${url}/readyz`, { dispatcher, headers: { authorization: `Bearer ${token}` } });
  } finally {
    await dispatcher.destroy();
  }
}

async function isOk(url: string, options: Parameters<typeof request>[1]): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url, options);
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}

async function untilReady(
  processes: readonly ServerProcess[],
  isReadyNow: () => Promise<boolean>,
): Promise<void> {
  const endMs = Date.now() + START_MS_MAX;
  while (!(await isReadyNow())) {
    const ended = processes.find((process) => process.hasEnded);
    if (ended !== undefined) throw new Error(`${ended.program} ended at its start:\n${ended.output()}`);
    if (Date.now() > endMs) {
      throw new Error(`not ready in time:\n${processes.map((process) => process.output()).join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A port that nobody used a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Last characters of the log that an error shows. */
const OUTPUT_SHOWN = 4_000;

class ServerProcess {
  private readonly child: ChildProcess;
  private readonly logPath: string;
  private readonly exit: Promise<unknown>;

  constructor(
    folder: string,
    readonly program: string,
    flags: readonly string[],
  ) {
    this.logPath = join(folder, `${program.split('/').at(-1)!}.log`);
    this.child = spawn(program, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(this.logPath);
    // Two writers: the end of one is not the end of the file.
    for (const stream of [this.child.stdout!, this.child.stderr!]) stream.pipe(log, { end: false });
    this.exit = new Promise((resolve) => {
      this.child.on('close', resolve);
      // The program is not there, or can't be run: the log says nothing.
      this.child.on('error', (error) => {
        log.write(String(error));
        resolve(error);
      });
    });
    void this.exit.then(() => log.end());
  }

  get hasEnded(): boolean {
    const { exitCode, signalCode, pid } = this.child;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  output(): string {
    return readFileSync(this.logPath, 'utf8').slice(-OUTPUT_SHOWN);
  }

  async stop(): Promise<void> {
    if (!this.hasEnded) this.child.kill('SIGTERM');
    const patience = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS_MAX);
    await this.exit;
    clearTimeout(patience);
  }
}
