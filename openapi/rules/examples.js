/** Every body of a request and of a success has an example, and every operation has an example of an error. */
export const examples = () => {
  const hasExample = (media) => (media.example !== undefined && media.example !== null) || Object.keys(media.examples ?? {}).length > 0;
  const isShown = (message, resolve) => {
    const { node = message } = resolve(message);
    return Object.values(node?.content ?? {}).every(hasExample);
  };
  return {
    Operation(operation, { report, location, resolve }) {
      // What webhooks receive is answered by others.
      if (operation.operationId?.startsWith('receive')) return;
      const advice = 'Call it in scripts/examples/scenarios, then run: npm run examples -- --write';
      if (operation.requestBody && !isShown(operation.requestBody, resolve)) {
        report({ message: `${operation.operationId} has no example of a request. ${advice}`, location: location.child('requestBody').key() });
      }
      const responses = Object.entries(operation.responses ?? {});
      for (const [status, response] of responses.filter(([code]) => code.startsWith('2'))) {
        if (!isShown(response, resolve)) {
          report({ message: `${operation.operationId} has no example of ${status}. ${advice}`, location: location.child(['responses', status]).key() });
        }
      }
      const errors = responses.filter(([code]) => !code.startsWith('2')).map(([, response]) => resolve(response).node ?? response);
      if (errors.length > 0 && !errors.some((error) => Object.values(error.content ?? {}).some(hasExample))) {
        report({ message: `${operation.operationId} has no example of an error.`, location: location.child('responses').key() });
      }
    },
  };
};
