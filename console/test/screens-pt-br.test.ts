import { testScreens } from './harness/test-screens.ts';

testScreens('pt-BR');
