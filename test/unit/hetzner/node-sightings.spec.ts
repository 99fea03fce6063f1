import { NodeSightings } from '../../../src/adapters/hetzner/state/node-sightings.js';
import { MINUTE, T0, buildNode } from '../../support/builders.js';

describe('sightings of nodes', () => {
  it('are forgotten when others were seen for five minutes', () => {
    const sightings = new NodeSightings();
    sightings.note(buildNode('gone'), T0);
    sightings.note(buildNode('there'), T0 + 6 * MINUTE);
    sightings.beginRound();
    expect(sightings.of('gone')).toBeUndefined();
    expect(sightings.of('there')).toBeDefined();
  });

  it('are kept while nobody asks, as in an outage of the API server', () => {
    const sightings = new NodeSightings();
    sightings.note(buildNode('there'), T0);
    for (let minutes = 0; minutes < 30; minutes++) sightings.beginRound();
    expect(sightings.of('there')).toBeDefined();
    expect(sightings.isComplete()).toBe(true);
  });
});
