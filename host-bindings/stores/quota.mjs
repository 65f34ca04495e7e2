// A quota that many isolates use up together: a bucket that refills evenly. Arithmetic only; knows no store.

// A token in the units of a level: so a millisecond refills as many units as a minute refills tokens.
const kToken = 60000;

/**
 * Takes up to `amount` whole tokens of a bucket {level, at} (undefined = full) that refills `per_minute` and
 * holds `burst`. Returns {bucket, granted, wait_ms}: the bucket afterwards, and where nothing was granted the
 * time until one token is there.
 */
export function takeShare(bucket, now, {amount, per_minute, burst}) {
  const full = burst * kToken;
  const since = bucket ? Math.max(0, now - bucket.at) : 0;
  const level = bucket ? Math.min(full, bucket.level + since * per_minute) : full;
  const granted = Math.max(0, Math.min(amount, Math.floor(level / kToken)));
  const left = level - granted * kToken;
  const at = bucket ? Math.max(bucket.at, now) : now;
  return {
    bucket: { level: left, at },
    granted,
    wait_ms: granted > 0 ? 0 : Math.ceil((kToken - left) / per_minute),
  };
}
