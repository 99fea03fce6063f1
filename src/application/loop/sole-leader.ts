import { injectable } from 'inversify';
import type { LeaderLock, Leadership } from '../ports/leader-lock.js';

/** Leadership of a process that shares it with nobody: `--leader-elect=false`. */
@injectable()
export class SoleLeader implements LeaderLock {
  acquire(): Promise<Leadership> {
    const never = new AbortController();
    return Promise.resolve({ lost: never.signal, release: () => Promise.resolve() });
  }
}
