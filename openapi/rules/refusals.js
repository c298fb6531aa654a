/*
 * 400, 401, 403, 404 and 412 are described wherever they can occur, always by the shared responses, so that all errors have one shape.
 * What the frame returns for any operation is added when the contract is generated.
 */
const shared = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  410: 'Gone',
  412: 'PreconditionFailed',
  429: 'TooManyRequests',
};

/** Plain text without constraints accepts any value, except `include`, which the server checks itself. */
function canBeWrong(parameter, resolve) {
  const { node = parameter, location } = resolve(parameter);
  const { node: schema = node.schema } = resolve(node.schema ?? {}, location?.source.absoluteRef);
  const constraints = Object.entries(schema).filter(([keyword]) => !['type', 'description', 'example'].includes(keyword));
  return node.in !== 'path' && (node.name === 'include' || constraints.length > 0 || schema.type !== 'string');
}

/** A token in a path is a secret to check, not a record to find. A wrong one returns 400. */
const addressesRecord = (parameter) => parameter.in === 'path' && !parameter.name.endsWith('_token');

function expected(operation, pathItem, root, resolve) {
  const parameters = [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])];
  const security = operation.security ?? root.security ?? [];
  const role = operation['x-role'];
  return {
    400: operation.requestBody !== undefined || parameters.some((parameter) => canBeWrong(parameter, resolve)),
    401: security.length > 0,
    403: role !== undefined && !['any', 'member'].includes(role),
    404: parameters.some((parameter) => addressesRecord(resolve(parameter).node ?? parameter)),
    412: parameters.some((parameter) => (resolve(parameter).node ?? parameter).name === 'If-Match'),
  };
}

export const refusals = () => {
  let root;
  let item;
  return {
    Root(node) {
      root = node;
    },
    PathItem(node) {
      item = node;
    },
    Operation(operation, { report, location, resolve }) {
      // What webhooks receive is answered by others.
      if (operation.operationId?.startsWith('receive')) return;
      const responses = operation.responses ?? {};
      for (const [status, canOccur] of Object.entries(expected(operation, item, root, resolve))) {
        if (canOccur && !responses[status]) {
          report({ message: `${operation.operationId} can answer ${status}: add the shared response ${shared[status]}.`, location: location.child('responses').key() });
        }
      }
      for (const [status, response] of Object.entries(responses)) {
        const name = shared[status] ?? (/^[45]/.test(status) ? 'of that status' : undefined);
        if (name && !response.$ref?.endsWith(`/responses/${name}`)) {
          report({
            message: `${operation.operationId}: use the shared response ${name} for ${status}.`,
            location: location.child(['responses', status]),
          });
        }
      }
    },
  };
};
