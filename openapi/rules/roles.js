const known = ['any', 'member', 'working_area_admin', 'workspace_admin', 'account_admin'];

/** Every operation of v3 that takes a bearer token has an x-role; no other operation has one. */
export const roles = () => {
  let isResourceApi = false;
  return {
    Root(root) {
      const schemes = root.security ?? [];
      isResourceApi = schemes.length > 0 && schemes.every((scheme) => 'bearer' in scheme);
    },
    Operation(operation, { report, location }) {
      const isSecured = isResourceApi && operation.security === undefined;
      const role = operation['x-role'];
      if (isSecured && !known.includes(role)) {
        report({ message: `${operation.operationId} needs x-role: one of ${known.join(', ')}.`, location: location.key() });
      }
      if (!isSecured && role !== undefined) {
        report({ message: `${operation.operationId} has an x-role without effect, because it takes no bearer token.`, location: location.child('x-role') });
      }
    },
  };
};
