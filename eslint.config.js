import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['generated/', '**/dist/', 'data/', 'node_modules/', '.cache/'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // Only the configuration reads the environment, and `now` arrives with the call.
    files: ['src/**/*.ts'],
    ignores: ['src/platform/config.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'src/platform/config.ts reads the environment.' },
      ],
    },
  },
);
