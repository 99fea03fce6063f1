import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', 'build', 'coverage', '*.cjs', '*.mjs', 'scripts'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.test.json' } },
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-depth': ['error', 4],
      complexity: ['error', 20],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        {
          // Constructors are exempt: a service names every port that it uses.
          selector:
            ':function[params.length>5]:not(MethodDefinition[kind="constructor"] > FunctionExpression)',
          message: 'More than five parameters: take one options object.',
        },
        { selector: 'MetaProperty[meta.name="import"]', message: 'The bundle is CommonJS: no import.meta.' },
        {
          selector: 'Program > ExpressionStatement > AwaitExpression',
          message: 'The bundle is CommonJS: no top-level await.',
        },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      // An injected port is a symbol and a type of one name.
      '@typescript-eslint/no-redeclare': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // The pure core reads no clock and no random source: time and seeds come in as arguments.
    files: ['src/domain/**/*.ts', 'src/application/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'Date',
        'setTimeout',
        'setInterval',
        'setImmediate',
        'process',
        'performance',
        'crypto',
      ],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
