package io.credential.sample;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** What application.yml cannot say about JSON. The types of the starter need nothing. */
@Configuration(proxyBeanMethods = false)
class SampleJson {

    /** Takes no number or truth value for a text. */
    @Bean
    JsonMapperBuilderCustomizer textsAreTexts() {
        return builder -> builder.withCoercionConfig(
                LogicalType.Textual,
                coercions -> coercions
                        .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }
}
