/*
 * A schema that has a name is referred to by it: written out once more it would become a second type in every client, and the
 * two would drift apart.
 */

/** What a schema asks for, without what it says about itself. Members that mean something else make another schema. */
function shapeOf({ description: _description, example: _example, ...schema }) {
  return JSON.stringify(Object.entries(schema).sort(([one], [other]) => one.localeCompare(other)));
}

/** Any text or number may be asked for in two places; a record, a list of allowed values or a pattern is worth a name. */
const isWorthAName = (schema) => Object.keys(schema.properties ?? {}).length > 1 || (schema.enum?.length ?? 0) > 1 || schema.pattern !== undefined;

export const namedSchemas = () => {
  const named = new Map();
  const inline = [];
  return {
    Schema(schema, { rawNode, rawLocation }) {
      if (!isWorthAName(schema)) return;
      const shape = shapeOf(schema);
      if (rawNode.$ref) named.set(shape, rawNode.$ref.split('/').at(-1));
      else inline.push({ shape, location: rawLocation });
    },
    Root: {
      leave(_root, { report }) {
        for (const { shape, location } of inline) {
          if (named.has(shape)) report({ message: `This is the schema ${named.get(shape)}, written out: refer to it.`, location });
        }
      },
    },
  };
};
