/** Addresses that are never called, one or more of every forbidden range. */
export const forbiddenAddresses = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.254', '100.64.0.1', '100.100.100.200', '100.127.255.254'],
  ...['127.0.0.1', '127.0.0.53', '127.1.2.3', '127.255.255.254', '168.63.129.16', '169.254.0.1'],
  ...['169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.254', '192.0.0.1', '192.0.0.192'],
  ...['192.0.2.1', '192.88.99.1', '192.168.0.1', '192.168.255.254', '198.18.0.1', '198.51.100.7'],
  ...['203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::2', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
  ...['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::7f00:1', '100::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::'],
  ...['2002:a00:1::1', '3fff::1', '4000::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fd20:ce::254'],
  ...['fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ff0e::1'],
];

const formatHost = (address: string): string => (address.includes(':') ? `[${address}]` : address);

type Written = (value: number) => string;
const radixes: Written[] = [
  (value) => String(value),
  (value) => `0${value.toString(8)}`,
  (value) => `000${value.toString(8)}`,
  (value) => `0x${value.toString(16)}`,
  (value) => `0X${value.toString(16).toUpperCase()}`,
  (value) => `0x00${value.toString(16)}`,
];
/** 127.0.0.1 and 169.254.169.254 in one to four parts; the last part holds the remaining bytes. */
const parts = [
  ...[[0x7f000001], [127, 1], [127, 0, 1], [127, 0, 0, 1]],
  ...[[0xa9fea9fe], [169, 0xfea9fe], [169, 254, 0xa9fe], [169, 254, 169, 254]],
];
const numeric = parts.flatMap((each) => radixes.map((write) => each.map(write).join('.')));
const mixed = ['0x7f.1', '0177.0x0.1', '127.0.0x1', '0x7f.0.01', '127.00.00.01', '127.0.0.1.', '2130706433.'];

const circled = '⓪①②③④⑤⑥⑦⑧⑨';
const scripts: Written[] = [
  (digit) => String.fromCodePoint(0xff10 + digit),
  (digit) => circled[digit] ?? '',
  (digit) => String.fromCodePoint(0x1d7ce + digit),
  (digit) => String.fromCodePoint(0x1d7f6 + digit),
  (digit) => String.fromCodePoint(0x2080 + digit),
  (digit) => `%3${digit}`,
];
const dots = ['.', '。', '．', '｡', '%2e', '%E3%80%82'];
const inOtherScripts = scripts.flatMap((write) =>
  dots.map((dot) => '127.0.0.1'.replaceAll(/\d/g, (digit) => write(Number(digit))).replaceAll('.', dot)),
);

const loopbackIpv6 = [
  ...['[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[0::1]', '[::0001]', '[0:0::0:1]'],
  ...[
    '[::0.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:127.0.0.1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:7f00:0001]',
  ],
  ...['[0000:0000:0000:0000:0000:ffff:7f00:0001]', '[::ffff:127.1.2.3]', '[::7f00:1]', '[0::ffff:127.0.0.1]'],
];

/** Hosts that are addresses, in every notation that URL parsers accept. */
export const literalHosts = [
  ...new Set([
    ...forbiddenAddresses.map(formatHost),
    ...numeric,
    ...mixed,
    ...inOtherScripts,
    ...loopbackIpv6,
  ]),
];

/** Names that some resolvers map to this machine or its network. */
export const innerNames = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'lOcAlHoSt', 'localhost.localdomain', 'ip6-localhost'],
  ...['foo.localhost', 'broadcasthost', 'loopback', 'api', 'postgres', 'redis', 'host.docker.internal'],
  ...[
    'gateway.docker.internal',
    'kubernetes.default.svc',
    'metadata.google.internal',
    'metadata',
    'instance-data',
  ],
  ...[
    'router.lan',
    'printer.local',
    'intranet.corp',
    '127.0.0.1.nip.test',
    '7f000001.rebind.test',
    'ｌｏｃａｌｈｏｓｔ',
  ],
  ...['loc\u00adalhost', 'local%68ost', 'localtest.test', 'xn--9ca.test', 'a.b.c.d.e.inner.test'],
];

/** URLs that disguise their target, or that point to something other than a web server. */
export const trickyUrls = (port: number): string[] => [
  `http://user@127.0.0.1:${port}/`,
  `http://user:pass@localhost:${port}/`,
  `http://8.8.8.8@127.0.0.1:${port}/`,
  `http://example.com%40@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}#@example.com/`,
  `http://127.0.0.1:${port}?@example.com/`,
  `http://127.0.0.1:${port}\\@example.com/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `http:/127.0.0.1:${port}/`,
  `http:127.0.0.1:${port}`,
  `http:///127.0.0.1:${port}`,
  `ht\ntp://127.0.0.1:${port}/`,
  ` http://127.0.0.1:${port}/`,
  `http://127.0.\t0.1:${port}/`,
  `HTTP://127.0.0.1:${port}/`,
  `//127.0.0.1:${port}/`,
  `127.0.0.1:${port}`,
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_GET`,
  `file:///etc/passwd`,
  `unix:/var/run/docker.sock`,
  `ws://127.0.0.1:${port}/`,
  `data:text/plain,hello`,
  `javascript:1`,
  `http://127.0.0.1:0${port}/`,
  `http://127.0.0.1:99999/`,
  `http://127.0.0.1:22/`,
  `http://127.0.0.1:25/`,
  `http://[::1%25lo]:${port}/`,
  `http://[::1]%00.example.com:${port}/`,
  `http://127.0.0.1%00.example.com:${port}/`,
  `http://4294967297:${port}/`,
  `http://256.0.0.1:${port}/`,
  `http://127.0.0.0x100:${port}/`,
  `http://1.1.1.1 &@127.0.0.1:${port}/`,
  '',
];
