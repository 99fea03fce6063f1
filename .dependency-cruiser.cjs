/* The layers of docs/architecture.md, as rules. `npm run lint` runs them. */

const foreignAdapter = {
  name: 'adapters-do-not-know-each-other',
  comment:
    'An adapter translates one outside thing; what two adapters share belongs in a port, or in a cloud-… folder.',
  severity: 'error',
  from: { path: '^src/adapters/([^/]+)/' },
  to: { path: '^src/adapters/', pathNot: '^src/adapters/($1|cloud-http|cloud-configuration)/' },
};

/* What adapters for clouds have in common: exchanging HTTP, reading configuration. */
const commonGround = {
  name: 'common-ground-of-clouds-knows-no-cloud',
  comment: 'The other way round it would not be common.',
  severity: 'error',
  from: { path: '^src/adapters/(cloud-http|cloud-configuration)/' },
  to: { path: '^src/adapters/', pathNot: '^src/adapters/$1/' },
};

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A cycle means that two files are one thing, or that one of them knows too much.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'The domain imports itself only: no other layer, no npm package, no Node.js module.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { pathNot: '^src/domain/' },
    },
    {
      name: 'application-knows-domain-and-ports',
      comment: 'The application imports itself, the domain, and the decorators of inversify.',
      severity: 'error',
      from: { path: '^src/application/' },
      to: { pathNot: '^src/(application|domain)/|node_modules/inversify/' },
    },
    {
      name: 'adapters-know-ports-and-domain',
      comment:
        'An adapter imports ports, domain types and its client library; never services or composition.',
      severity: 'error',
      from: { path: '^src/adapters/' },
      to: { path: '^src/(infrastructure|sandbox)/|^src/application/(?!ports/)' },
    },
    foreignAdapter,
    commonGround,
    {
      name: 'sandbox-is-independent',
      comment: 'A mistake in the program must not cancel itself out in the world that tests it.',
      severity: 'error',
      from: { path: '^src/sandbox/' },
      to: { path: '^src/(application|adapters|infrastructure)/' },
    },
    {
      name: 'sandbox-takes-only-scheduling-from-the-domain',
      severity: 'error',
      from: { path: '^src/sandbox/', pathNot: '^src/sandbox/kubernetes/scheduler/' },
      to: { path: '^src/domain/' },
    },
    {
      name: 'only-infrastructure-composes',
      severity: 'error',
      from: { path: '^src/(domain|application|adapters|sandbox)/' },
      to: { path: '^src/infrastructure/' },
    },
    {
      name: 'inversify-container-only-in-infrastructure',
      comment: 'Decorators may be used by application and adapters; domain and sandbox know no container.',
      severity: 'error',
      from: { path: '^src/(domain|sandbox)/' },
      to: { path: 'node_modules/(inversify|@inversifyjs)/' },
    },
    {
      name: 'client-node-only-in-the-kubernetes-adapter',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/adapters/kubernetes/' },
      to: { path: 'node_modules/@kubernetes/client-node' },
    },
    {
      name: 'undici-only-in-adapters-and-composition',
      severity: 'error',
      from: { path: '^src/(domain|application)/' },
      to: { path: 'node_modules/undici' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
