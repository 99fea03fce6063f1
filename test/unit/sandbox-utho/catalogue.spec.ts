import { simulatedUtho } from './simulated-utho.js';

describe('supporting endpoints', () => {
  it('list clusters', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: 2, count: 3 });
    const { body } = await utho.send('GET', '/v2/kubernetes');
    expect(body).toMatchObject({
      k8s: [
        {
          ...{ id: '701234', hostname: 'cluster-701234', dcslug: 'inmumbaizone2', status: 'Active' },
          ...{ app_status: 'Installed', powerstatus: 'Running', worker_count: '3', cost: 0 },
        },
      ],
      rcode: 'success',
    });
    // An empty id asks for the list.
    expect((await utho.send('GET', '/v2/kubernetes/')).body.k8s).toHaveLength(1);
  });

  it('list plans and places to deploy', async () => {
    const utho = simulatedUtho();
    utho.cloud.setPlanAvailable('10316', false);
    const { body } = await utho.send('GET', '/v2/cloud/getdeploy?product=cloud&dcslug=defra1');
    expect(body.dczones).toMatchObject([{ slug: 'defra1', city: 'Frankfurt', cc: 'de' }]);
    expect(body.plans.find(({ id }: any) => id === '10316')).toEqual({
      ...{ id: '10316', type: 'ramcpu', slug: 'basic', name: 'basic-103', disk: '320', ram: '16384' },
      ...{ cpu: '6', bandwidth: '1000', dedicated_vcore: '0', price: 5_514, is_available: 'NO' },
    });
  });

  it('list plans for one instance', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: [{ cloudId: '11' }] });
    utho.cloud.addPlan({
      ...{ id: '20000', name: 'diskless', slug: 'basic', cpu: 1, ramMb: 2_048, diskGb: 0 },
      ...{ price: 500, available: true },
    });
    utho.cloud.setPlanAvailable('10316', false);
    const { body } = await utho.send('GET', '/v2/cloud/11/resizeplans');
    const ids = body.plans.map(({ id }: any) => id);
    expect(ids).toContain('20000');
    expect(ids).not.toContain('10316');
    expect(body.plans.at(-1)).toMatchObject({ disk: '0', ram: '2048', cpu: '1', monthly: 500 });
    const ofMaster = await utho.send('GET', `/v2/cloud/${utho.cloud.cluster().master.cloudId}/resizeplans`);
    expect(ofMaster.body).toEqual(body);
    expect((await utho.send('GET', '/v2/cloud/99/resizeplans')).body.status).toBe('error');
  });

  it('show and destroy a worker as the instance that it is', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: [{ cloudId: '11', hostname: 'pool-a-1' }] });
    const { body } = await utho.send('GET', '/v2/cloud/11');
    expect(body.cloud).toMatchObject([{ cloudid: '11', hostname: 'pool-a-1', status: 'Active' }]);
    expect((await utho.send('DELETE', '/v2/cloud/11/destroy')).body.status).toBe('success');
    expect((await utho.send('DELETE', '/v2/cloud/11/destroy')).body.status).toBe('error');
  });

  it('add a pool', async () => {
    const utho = simulatedUtho();
    const path = '/v2/kubernetes/701234/nodepool/add';
    const ebs = [{ disk: '30', type: 'nvme' }];
    const order = { label: 'workers', size: '10045', count: '2', ebs };
    const { body } = await utho.send('POST', path, {
      nodepools: [{ ...order, min_nodes: '1', max_nodes: '4' }],
    });
    expect(body).toEqual({
      status: 'success',
      message: 'New Node Pool added to cluster and a progress started to add nodes to the cluster.',
      id: '701234',
    });
    await utho.clock.advance(50);
    expect(await utho.pool('workers')).toMatchObject({
      ...{ planid: '10045', count: '2', auto_scale: true, min_size: 1, max_size: 4 },
      workers: [{ status: 'Active', cpu: '2' }, { status: 'Active' }],
    });
    for (const nodepools of [
      undefined,
      [],
      [order],
      [{ ...order, label: 'x', size: '1' }],
      [{ size: '10045' }],
    ]) {
      expect((await utho.send('POST', path, { nodepools })).body.status).toBe('error');
    }
    expect([...utho.cloud.cluster().pools.keys()]).toEqual(['workers']);
  });

  it('destroy a cluster for who confirms it', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a' });
    const path = '/v2/kubernetes/701234/destroy';
    expect((await utho.send('DELETE', path, { confirm: 'yes' })).body.status).toBe('error');
    const confirm = 'I am aware this action will delete data and cluster permanently';
    expect((await utho.send('DELETE', path, { confirm })).body.status).toBe('success');
    expect((await utho.read()).body.rcode).toBe('error');
    expect(utho.fleet.running()).toEqual([]);
  });

  it.each(['/v2/pricing', '/v2/account/info'])('answer %s', async (path) => {
    expect((await simulatedUtho().send('GET', path)).body.status).toBe('success');
  });
});
