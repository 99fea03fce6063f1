import { Slots } from '../../../src/adapters/utho/state/slots.js';

const ids = (slots: Slots) => slots.all().map(({ id }) => Number(id.split('/').at(-1)));

describe('placeholders of orders', () => {
  it('fulfils the oldest and withdraws the youngest', () => {
    const slots = new Slots('p');
    slots.settle(3, 0, 1_000);
    slots.settle(4, 0, 2_000);
    expect(slots.all()[3]).toEqual({ id: 'utho-order://p/4', sinceMs: 2_000 });
    expect(slots.settle(2, 1, 3_000)).toEqual([{ id: 'utho-order://p/1', sinceMs: 1_000 }]);
    expect(ids(slots)).toEqual([2, 3]);
  });

  it('never gives a name twice', () => {
    const slots = new Slots('p');
    slots.settle(2, 0, 0);
    slots.settle(0, 0, 0);
    slots.settle(1, 0, 0);
    expect(ids(slots)).toEqual([3]);
  });

  it('keeps the others when named ones are withdrawn', () => {
    const slots = new Slots('p');
    slots.settle(3, 0, 0);
    slots.withdraw(new Set(['utho-order://p/1', 'utho-order://p/2']));
    slots.settle(1, 0, 0);
    expect(ids(slots)).toEqual([3]);
  });

  it('needs none where more arrived than were on order', () => {
    const slots = new Slots('p');
    slots.settle(1, 0, 0);
    expect(slots.settle(0, 5, 0)).toHaveLength(1);
    expect(slots.all()).toEqual([]);
  });
});
