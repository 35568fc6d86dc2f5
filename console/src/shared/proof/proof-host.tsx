import { useEffect, useState } from 'react';
import { onProofRequired } from '../../api/proof.ts';
import { ProofDialog } from './proof-dialog.tsx';

/** Shows the dialog while a request waits for a proof of identity. */
export function ProofHost() {
  const [answer, setAnswer] = useState<(isProved: boolean) => void>();
  useEffect(() => {
    onProofRequired(
      () =>
        new Promise((resolve) => {
          setAnswer(() => (isProved: boolean) => {
            setAnswer(undefined);
            resolve(isProved);
          });
        }),
    );
  }, []);
  return answer && <ProofDialog onDone={() => answer(true)} onClose={() => answer(false)} />;
}
