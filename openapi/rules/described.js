/** Every parameter and every member of a body has a description, of its own or in the schema that it refers to. */
export const described = () => ({
  Parameter(parameter, { report, location }) {
    if (!parameter.description?.trim()) report({ message: `The parameter ${parameter.name} has no description.`, location });
  },
  Schema(schema, { report, location, resolve }) {
    // Conditions repeat members that are described elsewhere.
    if (/\/(if|then|else|not|dependentSchemas)\//.test(`${location.pointer}/`)) return;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const { node } = resolve(property);
      if (property.description?.trim() || node?.description?.trim()) continue;
      report({ message: `The member ${name} has no description.`, location: location.child(['properties', name]) });
    }
  },
});
