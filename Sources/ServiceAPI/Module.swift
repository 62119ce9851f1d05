// ServiceAPI
