export { TinycloudApi, TinycloudDispatcher } from './tinycloud-api.js';
export { readTinycloudConfiguration, TinycloudConfiguration } from './tinycloud-configuration.js';
export { TinycloudProvider } from './tinycloud-provider.js';
