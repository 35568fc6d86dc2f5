import { z } from 'zod';
import { timestampText } from '../../../platform/schemas.ts';
import type { CallStory } from './call-details.store.ts';
import { callRecord, callTimeline } from './call-record.ts';

/** One call that is opened: its record, and how it went. */
export const openedCall = callRecord.extend({
  timeline: callTimeline,
  requested_by: z
    .object({ uuid: z.uuid(), name: z.string() })
    .nullable()
    .meta({ description: 'The user who asked for it; null if nobody did, or the user is gone.' }),
  caller_id: z
    .string()
    .nullable()
    .meta({ description: 'The number to show to the destination; null for that of the trunk.' }),
  media_node: z
    .string()
    .nullable()
    .meta({ description: 'Where its audio went; null before that is settled.' }),
  recording: z
    .object({
      state: z.enum(['expected', 'stored', 'absent', 'removed']).meta({
        description:
          '`expected` until the file is here, `absent` if none came, `removed` once it was kept long enough.',
      }),
      duration_ms: z.int().nullable(),
      expires_at: timestampText.nullable().meta({ description: 'Until when it is kept.' }),
    })
    .nullable()
    .meta({ description: 'What became of the recording; null if none was to be made.' }),
});

export const presentStory = (story: CallStory) => ({
  requested_by:
    story.askedByUuid === null ? null : { uuid: story.askedByUuid, name: story.askedByName ?? '' },
  caller_id: story.callerId,
  media_node: story.node,
  recording: story.recordingState && {
    state: story.recordingState,
    duration_ms: story.recordingDurationMs,
    expires_at: story.recordingExpiresAt?.toISOString() ?? null,
  },
});
