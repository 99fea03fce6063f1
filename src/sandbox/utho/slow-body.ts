import type { FrontResponse } from '../world/front.js';
import type { WorldClock } from '../world/world-clock.js';

/** Headers and half of the body come at once, the rest after so much world time. */
export function slowly(clock: WorldClock, ms: number): (response: FrontResponse) => FrontResponse {
  return (response) =>
    typeof response.body === 'string'
      ? { ...response, body: inTwoHalves(response.body, clock, ms) }
      : response;
}

async function* inTwoHalves(text: string, clock: WorldClock, ms: number): AsyncGenerator<string> {
  const middle = text.length >>> 1;
  yield text.slice(0, middle);
  await clock.sleep(ms);
  yield text.slice(middle);
}
