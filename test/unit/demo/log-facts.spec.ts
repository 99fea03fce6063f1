import { LogFacts } from '../../../src/infrastructure/demo/log-facts.js';

describe('lines that a guide names', () => {
  it('are new once each, whatever follows their beginning', () => {
    const facts = new LogFacts(['node-pool a: ', 'configured 1']);
    const told = ['node-pool a: x', 'other', 'node-pool a: y', 'configured 1 pools'].map((line) =>
      facts.isNew(line),
    );
    expect(told).toEqual([true, false, false, true]);
    expect(facts.objections()).toEqual([]);
  });

  it('are missed where they never came', () => {
    const facts = new LogFacts(['node-pool a: ']);
    facts.isNew('says node-pool a: x');
    expect(facts.objections()).toEqual(["the log never said 'node-pool a: …'"]);
  });
});
