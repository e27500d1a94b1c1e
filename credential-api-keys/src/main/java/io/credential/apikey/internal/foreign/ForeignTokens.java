package io.credential.apikey.internal.foreign;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.apikey.KeyImport;

/**
 * Recognizes the tokens of imported keys by their form: the first form that matches decides. Bounded: what is longer than
 * a token matches no form, nor does what needs too many steps. Thread-safe.
 */
public final class ForeignTokens {

    private static final Logger LOG = LoggerFactory.getLogger(ForeignTokens.class);

    /** A pattern that backtracks exponentially would otherwise let callers occupy threads. */
    private static final int MAX_STEPS = 20_000;

    private final String namespace;
    private final List<Form> forms;
    private final AtomicBoolean warned = new AtomicBoolean();

    public ForeignTokens(String namespace, List<ForeignTokenForm> forms) {
        this.namespace = namespace;
        this.forms = forms.stream().map(Form::of).toList();
    }

    public String namespace() {
        return namespace;
    }

    /** Returns null for a text that no form matches. */
    public @Nullable ForeignToken read(@Nullable String text) {
        if (text == null || forms.isEmpty() || text.length() > ApiKeyToken.MAX_LENGTH) {
            return null;
        }
        try {
            CountedText counted = new CountedText(text);
            for (Form form : forms) {
                Matcher matcher = form.pattern.matcher(counted);
                if (matcher.matches()) {
                    return token(text, form, matcher);
                }
            }
            return null;
        } catch (TooManyStepsException e) {
            if (warned.compareAndSet(false, true)) {
                LOG.warn(
                        "A token took more than {} steps to match the patterns of credential.api-keys.registries.{}"
                                + ".imported-tokens and is rejected; write patterns without nested repetitions",
                        MAX_STEPS,
                        namespace);
            }
            return null;
        }
    }

    private static @Nullable ForeignToken token(String text, Form form, Matcher matcher) {
        String lookupId = form.hasId() ? matcher.group("id") : null;
        String secret = form.hasSecret ? matcher.group("secret") : text;
        // A group in an alternative that was not taken has matched nothing.
        boolean complete =
                secret != null && !secret.isEmpty() && (lookupId == null ? !form.hasId() : !lookupId.isEmpty());
        return complete ? new ForeignToken(text, form.tokens, lookupId, secret) : null;
    }

    /** Whether there is a form by which the tokens of a key can be recognized. */
    public boolean recognize(KeyImport key) {
        ForeignHashAlgorithm algorithm = key.hash().algorithm();
        return forms.stream()
                .map(Form::tokens)
                .filter(form -> !algorithm.isPeppered() || form.pepper() != null)
                .anyMatch(form -> key.lookupId() == null ? form.lookupHash() == algorithm : form.lookupHash() == null);
    }

    private record Form(ForeignTokenForm tokens, Pattern pattern, boolean hasSecret) {

        static Form of(ForeignTokenForm form) {
            return new Form(
                    form, Pattern.compile(form.pattern()), form.pattern().contains("(?<secret>"));
        }

        boolean hasId() {
            return tokens.lookupHash() == null;
        }
    }

    /** Counts how often a matcher looks at a character. */
    private static final class CountedText implements CharSequence {

        private final String text;
        private int steps;

        CountedText(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++steps > MAX_STEPS) {
                throw new TooManyStepsException();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final class TooManyStepsException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooManyStepsException() {
            super(null, null, false, false);
        }
    }
}
