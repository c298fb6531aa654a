const known = ['any', 'member', 'working_area_admin', 'workspace_admin', 'account_admin'];

/** Every operation of the resource API that takes a bearer token says which role it asks for, and no other operation does. */
export const roles = () => {
  let isResourceApi = false;
  return {
    Root(root) {
      isResourceApi = (root.security ?? []).some((scheme) => 'bearer' in scheme);
    },
    Operation(operation, { report, location }) {
      const isSecured = isResourceApi && operation.security === undefined;
      const role = operation['x-role'];
      if (isSecured && !known.includes(role)) {
        report({ message: `${operation.operationId} needs x-role: one of ${known.join(', ')}.`, location: location.key() });
      }
      if (!isSecured && role !== undefined) {
        report({ message: `${operation.operationId} has an x-role, which nobody looks at: it takes no bearer token.`, location: location.child('x-role') });
      }
    },
  };
};
