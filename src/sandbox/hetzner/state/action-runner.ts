import type { Project } from './project.js';
import type { ActionRecord, ServerRecord } from './records.js';
import type { HetznerWorld } from './world.js';

type Resource = ActionRecord['resources'][number];

export interface ServerStep {
  readonly command: string;
  readonly durationMs: number;
  /** What else it concerns. */
  readonly others?: readonly Resource[];
  readonly onSuccess?: () => void;
  readonly onFailure?: () => void;
}

const FOLLOWED_FAILURE = { code: 'action_failed', message: 'Action failed' };

/** Starts actions and brings them to their ends. */
export class ActionRunner {
  constructor(private readonly world: HetznerWorld) {}

  /** An action that was accepted; its work begins with {@link run}. */
  accept(project: Project, command: string, resources: readonly Resource[]): ActionRecord {
    const action: ActionRecord = {
      id: this.world.nextId('action'),
      command,
      status: 'running',
      startedMs: this.world.now(),
      beginsMs: Infinity,
      endsMs: Infinity,
      finishedMs: null,
      resources,
      error: null,
    };
    project.actions.add(action);
    return action;
  }

  /** Works for `durationMs`, then succeeds or fails; a fault may decide otherwise. */
  run(action: ActionRecord, durationMs: number, onEnd: (succeeded: boolean) => void): void {
    action.beginsMs = this.world.now();
    const fault = this.world.faults.takeActionFault(action.command);
    if (fault !== null && fault.error === null) return;
    action.endsMs = action.beginsMs + durationMs;
    this.world.schedule(durationMs, () => {
      action.error ??= fault?.error ?? null;
      this.finish(action);
      onEnd(action.error === null);
    });
  }

  /** An action on one server that keeps others away while it runs. */
  runOnServer(project: Project, server: ServerRecord, step: ServerStep): ActionRecord {
    const action = this.accept(project, step.command, [serverResource(server), ...(step.others ?? [])]);
    server.locks.add(action.id);
    this.run(action, step.durationMs, (succeeded) => {
      server.locks.delete(action.id);
      if (!project.servers.has(server.id)) return;
      if (succeeded) step.onSuccess?.();
      else step.onFailure?.();
      project.history.note(server.id, server);
    });
    project.history.note(server.id, server);
    return action;
  }

  /** Ends an action that never began because the one before it failed. */
  abandon(action: ActionRecord): void {
    action.error = FOLLOWED_FAILURE;
    this.finish(action);
  }

  private finish(action: ActionRecord): void {
    action.finishedMs = this.world.now();
    action.status = action.error === null ? 'success' : 'error';
  }
}

export function serverResource(server: ServerRecord): Resource {
  return { id: server.id, type: 'server' };
}
