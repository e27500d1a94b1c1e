package io.credential.spring.autoconfigure.json;

import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** In a native image, Jackson can read the types whose JSON the starter configures. */
class JsonHintsTests {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().addModule(new CredentialJacksonModule()).build();

    private final RuntimeHints hints = new RuntimeHints();

    JsonHintsTests() {
        new CredentialJacksonModule.Hints().registerHints(hints, getClass().getClassLoader());
    }

    @ParameterizedTest
    @MethodSource("io.credential.spring.autoconfigure.json.ResultTypes#enums")
    void hintsThenIncludeTheWordsOfEnums(Class<?> type) throws NoSuchMethodException {
        assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(mixIn(type).getDeclaredMethod("text")))
                .accepts(hints);
    }

    static Stream<Class<?>> configuredRecords() {
        return ResultTypes.records().filter(type -> mixIn(type) != null);
    }

    @ParameterizedTest
    @MethodSource("configuredRecords")
    void hintsThenIncludeConfiguredRecords(Class<?> type) {
        assertThat(RuntimeHintsPredicates.reflection().onType(mixIn(type))).accepts(hints);
        assertThat(type.getRecordComponents())
                .allSatisfy(component -> assertThat(
                                RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
                        .accepts(hints));
    }

    private static Class<?> mixIn(Class<?> type) {
        return MAPPER.serializationConfig().findMixInClassFor(type);
    }
}
