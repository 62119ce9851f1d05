import Testing
@Suite struct Empty {}
