package io.credential.apikey.internal;

import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.internal.TokenJudge.Rejected;
import io.credential.apikey.internal.TokenJudge.Verdict;
import io.credential.apikey.internal.foreign.ForeignToken;
import io.credential.apikey.internal.foreign.ForeignTokens;
import io.credential.apikey.internal.foreign.PresentedSecret;

/** Reads the tokens of a registry: its own, and those of imported keys. Thread-safe. */
final class TokenReader {

    private final ApiKeyRegistryOptions options;
    private final ForeignTokens foreignTokens;

    TokenReader(ApiKeyRegistryOptions options, ForeignTokens foreignTokens) {
        this.options = options;
        this.foreignTokens = foreignTokens;
    }

    /** @param judge gets the id and the secret of a token that this registry may accept; the secret is wiped afterwards */
    Verdict read(@Nullable String text, BiFunction<String, PresentedSecret, Verdict> judge) {
        ApiKeyToken token =
                ApiKeyToken.parse(text).filter(TokenForm::isLowerCase).orElse(null);
        if (token == null || !isOfThisRegistry(token)) {
            ForeignToken foreign = foreignTokens.read(text);
            return foreign == null
                    ? new Rejected(token == null ? "malformed" : "foreign-namespace", null)
                    : foreign.use(options.namespace(), judge);
        }
        if (!TokenForm.canBeIssued(token)) {
            return new Rejected("malformed", null);
        }
        return TokenForm.hashInput(token)
                .useAndClose(input -> judge.apply(token.idHex(), PresentedSecret.issued(input)));
    }

    private boolean isOfThisRegistry(ApiKeyToken token) {
        return token.namespace().equals(options.namespace()) && token.prefix().equals(options.prefix());
    }
}
