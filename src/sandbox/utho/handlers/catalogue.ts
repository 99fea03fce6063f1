import { ok } from '../api/answers.js';
import type { Answer } from '../api/answers.js';
import type { Call, Route } from '../api/router.js';
import type { Views } from '../api/views.js';
import type { UthoWorld } from '../state/world.js';
import type { Workforce } from '../state/workforce.js';
import { instanceOf, requireInstance } from './lookup.js';

/** Plans, prices, the account, and workers as the plain instances that they are (`utho` 3.8). */
export class CatalogueHandlers {
  constructor(
    private readonly world: UthoWorld,
    private readonly workforce: Workforce,
    private readonly views: Views,
  ) {}

  routes(): readonly Route[] {
    return [
      { method: 'GET', path: '/cloud/getdeploy', handler: (call) => this.deployable(call) },
      { method: 'GET', path: '/cloud/{cloud}/resizeplans', handler: (call) => this.resizePlans(call) },
      { method: 'GET', path: '/cloud/{cloud}', handler: (call) => this.instance(call) },
      { method: 'DELETE', path: '/cloud/{cloud}/destroy', handler: (call) => this.destroy(call) },
      { method: 'GET', path: '/pricing', handler: () => this.pricing() },
      { method: 'GET', path: '/account/info', handler: (call) => this.account(call) },
    ];
  }

  private deployable({ query }: Call): Answer {
    const plans = [...this.world.plans.values()].map((plan) => this.views.plan(plan));
    return ok({ dczones: [this.views.dataCentre(query.get('dcslug') ?? 'inmumbaizone2')], plans });
  }

  private resizePlans(call: Call): Answer {
    requireInstance(this.world, call);
    const plans = [...this.world.plans.values()].filter(({ available }) => available);
    return ok({ plans: plans.map((plan) => this.views.resizePlan(plan)), status: 'success' });
  }

  /** The shape is a guess. */
  private instance(call: Call): Answer {
    const { worker, cluster } = instanceOf(this.world, call);
    return ok({ cloud: [this.views.instance(worker, cluster)], status: 'success' });
  }

  /** What somebody does who knows nothing of pools. */
  private destroy(call: Call): Answer {
    const { worker, ...place } = instanceOf(this.world, call);
    this.world.readLag.beforeWrite(place.cluster);
    if (worker.state !== 'deleting') this.workforce.destroy(place, worker, call.cause);
    // The sentence is invented.
    return ok({ status: 'success', message: 'Cloud server destroyed successfully' });
  }

  /** The shape is not known; this one is a guess. */
  private pricing(): Answer {
    const plans = [...this.world.plans.values()].map((plan) => this.views.plan(plan));
    return ok({ pricing: plans, status: 'success' });
  }

  /** The shape is a guess. */
  private account({ token }: Call): Answer {
    return ok({ user: { id: '4711', fullname: token.name, currency: 'INR' }, status: 'success' });
  }
}
