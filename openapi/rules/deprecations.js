/** A deprecated operation says since when it is deprecated and, once that is decided, until when it is served. The frame sends both. */
export const deprecations = () => ({
  Operation(operation, { report, location }) {
    const isDate = (name) => /^\d{4}-\d\d-\d\d$/.test(operation[name] ?? '');
    for (const name of ['x-deprecated-since', 'x-sunset']) {
      const isNeeded = name === 'x-deprecated-since' || operation[name] !== undefined;
      if (operation.deprecated && isNeeded && !isDate(name))
        report({ message: `${operation.operationId} is deprecated, so it needs ${name}: a day such as 2027-01-01.`, location: location.key() });
      if (!operation.deprecated && operation[name] !== undefined)
        report({ message: `${operation.operationId} has ${name} without effect, because it is not deprecated.`, location: location.child(name) });
    }
  },
});
