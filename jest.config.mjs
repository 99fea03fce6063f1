// Sources are ESM for Node.js and CommonJS for jest: the ESM-only packages below are transformed with them.
const typescript = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2022',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};
const javascript = { jsc: { target: 'es2022' }, module: { type: 'commonjs' } };
const esmOnly = [
  '@kubernetes/client-node',
  'inversify',
  '@inversifyjs',
  'openid-client',
  'oauth4webapi',
  'jose',
  'socks-proxy-agent',
  'agent-base',
  'jsonpath-plus',
  'js-yaml',
  'hpagent',
  'p-limit',
  'yocto-queue',
];

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  setupFiles: ['reflect-metadata'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', typescript], '^.+\\.m?js$': ['@swc/jest', javascript] },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  maxWorkers: 2,
  // Virtual time costs real computing time, and more of it on a busy machine; nothing waits for a clock.
  testTimeout: 60_000,
  // client-node costs a worker about 0.6 GiB over many suites; a fresh worker is cheaper than a full heap.
  workerIdleMemoryLimit: '1GB',
};
