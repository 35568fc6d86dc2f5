import { expect, test } from 'vitest';
import { choosePhoneRoute } from '../../../../src/contexts/telephony/legs/reach-phone.rules.ts';

test('a phone is rung through the edge it registered at, while that edge is alive', () => {
  expect(choosePhoneRoute({ edge: 2, transport: 'udp' }, [1, 2]).edge).toBe(2);
  expect(choosePhoneRoute({ edge: 2, transport: 'udp' }, [1, 3]).edge).toBe(1);
  expect(choosePhoneRoute({ edge: 2, transport: 'udp' }, []).edge).toBe(2);
});

test.each([
  ['udp', 'plain'],
  ['tcp', 'plain'],
  ['tls', 'srtp'],
  ['ws', 'webrtc'],
  ['wss', 'webrtc'],
] as const)('a phone registered over %s is offered %s media', (transport, media) => {
  expect(choosePhoneRoute({ edge: 1, transport }, [1]).media).toBe(media);
});
