export { StatusServer, StatusServerSettings } from './status-server.js';
