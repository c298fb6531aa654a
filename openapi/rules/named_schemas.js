/*
 * A schema that has a name is used by reference. A copy would become a second type in every client, and the two would diverge.
 */

/** The schema without its description and example, as text that can be compared. */
function shapeOf({ description: _description, example: _example, ...schema }) {
  return JSON.stringify(Object.entries(schema).sort(([one], [other]) => one.localeCompare(other)));
}

/** Plain texts and numbers may repeat. Records, enums and patterns may not. */
const mustBeNamed = (schema) => Object.keys(schema.properties ?? {}).length > 1 || (schema.enum?.length ?? 0) > 1 || schema.pattern !== undefined;

export const namedSchemas = () => {
  const named = new Map();
  const inline = [];
  return {
    Schema(schema, { rawNode, rawLocation }) {
      if (!mustBeNamed(schema)) return;
      const shape = shapeOf(schema);
      if (rawNode.$ref) named.set(shape, rawNode.$ref.split('/').at(-1));
      else inline.push({ shape, location: rawLocation });
    },
    Root: {
      leave(_root, { report }) {
        for (const { shape, location } of inline) {
          if (named.has(shape)) report({ message: `This is a copy of the schema ${named.get(shape)}: refer to it with $ref.`, location });
        }
      },
    },
  };
};
