import { testScreens } from './harness/test-screens.ts';

testScreens(0);
