import { lookAtScreens } from './harness/look-at-screens.ts';

lookAtScreens('en');
