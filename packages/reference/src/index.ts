export { asyncApi } from './asyncapi.ts';
export { escapeHtml, htmlPage, pageHeaders } from './html.ts';
export { type DocumentInfo, openApi } from './openapi.ts';
export { referencePages } from './reference.ts';
export { docsRoutes } from './routes.ts';
export { typeText } from './schema-text.ts';
export { documentedHttpEndpoints, documentedMethods } from './source.ts';
