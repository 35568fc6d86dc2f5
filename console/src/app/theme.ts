import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** Brand palette: phone-booth blue, token orange, ink and paper. Blue 6 and orange 5 are the brand colours. */
const booth: MantineColorsTuple = [
  ...(['#EEF3FD', '#D9E4FA', '#B3C8F4', '#8AAAED', '#668FE7'] as const),
  ...(['#3C69D6', '#2456C9', '#1E49AC', '#193C8E', '#122C69'] as const),
];
const ficha: MantineColorsTuple = [
  ...(['#FEF3EA', '#FBE2CF', '#F6C7A1', '#F0AA70', '#EC9048'] as const),
  ...(['#E8792B', '#C9601A', '#A44C13', '#7F3B10', '#5A2A0C'] as const),
];
/** Destructive actions; white text has enough contrast on the button shades in both themes. */
const red: MantineColorsTuple = [
  ...(['#FCEDEB', '#F8D7D4', '#F1AFA9', '#E8837B', '#DB5A50'] as const),
  ...(['#C93A31', '#B3261E', '#981F18', '#7F1A14', '#5E130F'] as const),
];
const gray: MantineColorsTuple = [
  ...(['#F6F6F1', '#EFEFE9', '#E4E4DC', '#D6D6CD', '#BDBEB6'] as const),
  ...(['#8B8D88', '#5A5F66', '#42474E', '#262B33', '#12161C'] as const),
];
const dark: MantineColorsTuple = [
  ...(['#E9ECF1', '#C6CCD6', '#9DA6B4', '#717B89', '#343D49'] as const),
  ...(['#29313B', '#1B2129', '#12161C', '#0D1015', '#08090C'] as const),
];

const fontFamily =
  "'Geist Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif";

/** Styles use the font sizes as variables; gaps and margins have the sizes of the spacing scale. */
export const theme = createTheme({
  colors: { booth, ficha, red, gray, dark },
  primaryColor: 'booth',
  primaryShade: { light: 6, dark: 5 },
  black: '#12161C',
  fontFamily,
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Liberation Mono', monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px', xxl: '24px', wall: '56px' },
  spacing: { '3xs': '2px', '2xs': '4px', xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: {
    fontFamily,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '22px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  radius: { sm: '4px', md: '8px', lg: '12px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    InputWrapper: {
      vars: () => ({
        label: { '--input-label-size': '13px' },
        description: { '--input-description-size': '12px' },
        error: { '--input-error-size': '12px' },
      }),
    },
    // Focuses the first item; Mantine's placeholder element is not a valid menu item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NativeSelect: { defaultProps: { size: 'sm' } },
  },
});

/** Semantic colour variables, so that screens do not use palette shades directly. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#FAFAF7',
    '--mantine-color-anchor': '#1E49AC',
    '--mantine-color-error': '#B3261E',
    '--mantine-color-placeholder': '#6E7278',
    '--disca-surface': '#FFFFFF',
    '--disca-line': '#E4E4DC',
    '--disca-quiet': '#5A5F66',
    '--disca-live': '#A44C13',
    '--disca-live-surface': '#FEF3EA',
    '--disca-good': '#18663A',
    '--disca-good-surface': '#E8F4EC',
    '--disca-bad': '#B3261E',
    '--disca-bad-surface': '#FCEDEB',
    '--disca-selected': '#EEF3FD',
    '--disca-selected-text': '#1E49AC',
  },
  dark: {
    '--mantine-color-body': '#12161C',
    '--mantine-color-anchor': '#8AAAED',
    '--mantine-color-error': '#FF9A8F',
    '--mantine-color-placeholder': '#8B95A3',
    '--mantine-color-disabled': '#29313B',
    '--mantine-color-booth-light-color': '#8AAAED',
    '--mantine-color-booth-outline': '#8AAAED',
    '--disca-surface': '#181D25',
    '--disca-line': '#2B333E',
    '--disca-quiet': '#9DA6B4',
    '--disca-live': '#F0AA70',
    '--disca-live-surface': '#2E2117',
    '--disca-good': '#7FD1A0',
    '--disca-good-surface': '#15291F',
    '--disca-bad': '#FF9A8F',
    '--disca-bad-surface': '#331B1A',
    '--disca-selected': '#1C2840',
    '--disca-selected-text': '#B3C8F4',
  },
});
