/** Observations of API keys and webhooks: names, keys and conventions. */
@NullMarked
package io.credential.observation;

import org.jspecify.annotations.NullMarked;
